import fc from "fast-check";
import { expect, test } from "vitest";
import { resolve } from "../generator/schema.js";
import {
  capabilityTypes,
  checkCompatibility,
  filterByCapability,
  isDescriptor,
  isIndex,
  parse,
  ProtocolError,
  serialize,
  validate,
} from "../src/index.js";
import * as arbitrary from "./arbitraries.js";
import { spoilt } from "./mutations.js";
import { Oracle, schema } from "./schema.js";

/** One of the protocol's numbered properties, checked on at least 100 cases. */
function property<T>(number: number, statement: string, cases: fc.Arbitrary<T>, check: (value: T) => void): void {
  test(`Feature: skill-sharing-protocol, Property ${number}: ${statement}`, () => {
    fc.assert(fc.property(cases, check), { numRuns: 150 });
  });
}

const fieldsOf = (document: unknown, kind?: Parameters<typeof validate>[1]) => validate(document, kind).map(({ field }) => field);

/** What reading a document throws. */
function refusal(document: unknown, kind?: Parameters<typeof validate>[1]): ProtocolError {
  try {
    parse(serialize(document as never), kind);
  } catch (error) {
    if (error instanceof ProtocolError) {
      return error;
    }
    throw error;
  }
  throw new Error(`accepted: ${serialize(document as never)}`);
}

const requiredMembers = resolve(schema, "#/$defs/descriptor").required!;

property(1, "every valid descriptor has all the required members; one that lacks any is refused", fc.tuple(arbitrary.descriptor, fc.constantFrom(...requiredMembers)), ([descriptor, name]) => {
  expect(requiredMembers.filter((member) => !(member in descriptor))).toEqual([]);
  const { [name]: _, ...rest } = descriptor;
  expect(fieldsOf(descriptor)).toEqual([]);
  expect(fieldsOf(rest)).toEqual([`/${name}`]);
});

const enums: [string, string[]][] = [
  ["/capability_type", ["plugin", "api", "knowledge", "task"]],
  ["/access", ["public", "restricted", "private"]],
  ["/auth/type", ["api_key", "oauth2", "custom", "none"]],
];

property(2, "capability_type, access and auth.type take exactly the protocol's values", fc.tuple(arbitrary.descriptor, fc.constantFrom(...enums), fc.oneof(fc.constantFrom(...enums.flatMap(([, values]) => values), "API", "public ", "", "tool"), fc.string())), ([descriptor, [field, values], value]) => {
  const document = field === "/auth/type" ? { ...descriptor, auth: { ...descriptor.auth, oauth2: undefined, type: value } } : { ...descriptor, [field.slice(1)]: value };
  const wrong = value === "oauth2" ? ["/auth/oauth2"] : []; // which that type needs
  expect(fieldsOf(document)).toEqual(values.includes(value) ? (field === "/auth/type" ? wrong : []) : [field]);
});

property(3, "parse(serialize(d)) == d", arbitrary.descriptor, (descriptor) => {
  const text = serialize(descriptor);
  const again = parse(text);
  expect(again).toEqual(descriptor);
  expect(serialize(again)).toBe(text);
});

property(4, "a document that conforms is parsed; one that does not yields errors that name the violating fields", fc.tuple(arbitrary.descriptor, spoilt(arbitrary.descriptor)), ([good, spoilt]) => {
  expect(parse(serialize(good))).toEqual(good);
  fc.pre(typeof spoilt === "object" && spoilt !== null && !Array.isArray(spoilt));
  // The oracle is another validator, made from the Go side's own schema.
  const wrong = new Set(oracle.errors("descriptor", spoilt).map((e) => e.instancePath + (e.keyword === "required" ? `/${e.params.missingProperty as string}` : "")));
  if (wrong.size > 0 && !/^[02-9]/.test(String((spoilt as { protocol?: { version?: unknown } }).protocol?.version))) {
    const { code, details } = refusal(spoilt);
    expect(code).toBe("VALIDATION_ERROR");
    expect(details.violations!.map(({ field }) => field)).toEqual(expect.arrayContaining([...wrong]));
  }
});
const oracle = new Oracle(schema);

property(5, "the ids in a Skill Index are mutually distinct", fc.tuple(arbitrary.index, fc.nat(), fc.nat()), ([index, from, to]) => {
  expect(isIndex(index)).toBe(true);
  fc.pre(index.skills.length > 0);
  const twice = index.skills[from % index.skills.length]!;
  const at = to % (index.skills.length + 1);
  const skills = [...index.skills.slice(0, at), { ...twice, name: "Another" }, ...index.skills.slice(at)];
  const second = skills.findLastIndex(({ id }) => id === twice.id);
  expect(fieldsOf({ ...index, skills }, "index")).toEqual([`/skills/${second}/id`]);
});

property(7, "filtering by capability type returns exactly the matching skills", fc.tuple(arbitrary.index, fc.subarray([...capabilityTypes])), ([index, types]) => {
  const filtered = filterByCapability(index, ...types);
  expect(filtered.skills).toEqual(index.skills.filter((entry) => types.some((type) => type === entry.capability_type)));
  expect({ ...filtered, skills: [] }).toEqual({ ...index, skills: [] });
  expect(isIndex(filtered)).toBe(true);
});

const messages = fc.oneof(
  fc.record({ kind: fc.constant("invocation-request" as const), document: arbitrary.invocationRequest, required: fc.constant(["/caller", "/caller/id", "/caller/type", "/skill_id", "/inputs"]) }),
  fc.record({
    kind: fc.constant("invocation-response" as const),
    document: arbitrary.invocationResponse,
    required: fc.constant(["/execution_id", "/status", "/skill_id", "/timestamps", "/timestamps/accepted_at"]),
  }),
);

property(8, "requests and responses of invocation have the members of section 4", fc.tuple(messages, fc.nat(4)), ([{ kind, document, required }, i]) => {
  expect(fieldsOf(document, kind)).toEqual([]);
  expect(parse(serialize(document), kind)).toEqual(document);
  const field = required[i]!;
  expect(fieldsOf(without(document, field.split("/").slice(1)), kind)).toEqual([field]);
});

function without(document: object, [first = "", ...rest]: string[]): object {
  const { [first]: member, ...others } = document as Record<string, object>;
  return rest.length === 0 ? others : { ...others, [first]: without(member!, rest) };
}

const almostVersion = fc.oneof(
  fc.stringMatching(/^(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,30})\.(0|[1-9][0-9]{0,3})$/),
  fc.stringMatching(/^v?0?[0-9]{1,2}(\.-?[0-9]{1,3}){1,3}([-+][a-z0-9]{1,3})?$/),
  fc.constantFrom("", "1", "1.0", "1.0.0 ", "１.0.0", "1.0.0\n", "1..0", "1.0.0-rc.1", "1.0.0+b"),
);

property(9, "the protocol version is MAJOR.MINOR.PATCH, non-negative integers", fc.tuple(arbitrary.descriptor, almostVersion), ([descriptor, version]) => {
  // Said once more, in another way than the schema says it.
  const parts = version.split(".");
  const plain = parts.length === 3 && parts.every((part) => /^[0-9]+$/.test(part) && BigInt(part).toString() === part);
  const { code, details } = parts[0] === "1" && plain ? {} : refusal({ ...descriptor, protocol: { ...descriptor.protocol, version } });
  expect(code).toBe(plain ? (parts[0] === "1" ? undefined : "VERSION_INCOMPATIBLE") : "VALIDATION_ERROR");
  expect(details?.violations?.map(({ field }) => field)).toEqual(plain ? undefined : ["/protocol/version"]);
  expect(isDescriptor({ ...descriptor, protocol: { ...descriptor.protocol, version } })).toBe(plain && parts[0] === "1");
});

property(10, "a descriptor whose MAJOR is above the supported one gives an incompatibility error", fc.tuple(arbitrary.descriptor, fc.bigInt({ min: 2n, max: 2n ** 70n }), fc.nat(), fc.nat(), fc.boolean()), ([descriptor, major, minor, patch, broken]) => {
  const version = `${major}.${minor}.${patch}`;
  const error = refusal({ ...descriptor, ...(broken ? { name: 5 } : {}), protocol: { version } });
  expect(error.code).toBe("VERSION_INCOMPATIBLE");
  expect(error.details).toEqual({ descriptor_version: version, consumer_supported_range: "1.x.x" });
  expect(() => checkCompatibility(version)).toThrow(expect.objectContaining({ code: "VERSION_INCOMPATIBLE" }));
});
