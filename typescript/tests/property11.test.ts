import { fileURLToPath } from "node:url";
import type { ErrorObject } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { differences, rulesBeside } from "../generator/differences.js";
import type { Node } from "../generator/schema.js";
import { validate } from "../src/index.js";
import * as arbitrary from "./arbitraries.js";
import { compilerSays } from "./compiler.js";
import { Enumerator, type Instance } from "./instances.js";
import { literal } from "./literal.js";
import { spoilt } from "./mutations.js";
import { Oracle, schema } from "./schema.js";

const types = fileURLToPath(new URL("../src/generated/types.ts", import.meta.url));
const oracle = new Oracle(schema);

const documents: Record<string, fc.Arbitrary<unknown>> = {
  descriptor: arbitrary.descriptor,
  index: arbitrary.index,
  invocationRequest: arbitrary.invocationRequest,
  invocationResponse: arbitrary.invocationResponse,
  error: arbitrary.errorAnswer,
};

/** What the schema and the compiler say of one instance. */
interface Judged extends Instance {
  errors: ErrorObject[];
  compiler: string | undefined;
}

function judge(instances: Instance[]): Judged[] {
  const distinct = [...new Map(instances.map((instance) => [instance.definition + literal(instance.value), instance])).values()];
  const said = compilerSays(distinct, types);
  return distinct.map((instance, i) => ({ ...instance, errors: oracle.errors(instance.definition, instance.value), compiler: said[i] }));
}

const enumerator = new Enumerator(schema);
const enumerated = judge(Object.keys(documents).flatMap((definition) => [...enumerator.of(definition)]));

/** The keyword of an error; that a number has no fraction is none of "type", because types say the rest of it. */
function reasonOf(error: ErrorObject): string {
  return error.keyword === "type" && typeof error.data === "number" && /integer/.test(String(error.params.type)) ? "integer" : error.keyword;
}

/** Holds that schema and compiler agree, but for reasons of the list. */
function expectAgreement(judged: Judged[]): void {
  const disagreements = judged.filter(({ errors, compiler }) =>
    compiler === undefined ? errors.some((error) => !(reasonOf(error) in differences)) : errors.length === 0,
  );
  expect(
    disagreements.slice(0, 5).map(({ what, value, errors, compiler }) => ({
      what,
      instance: literal(value).slice(0, 2000),
      schema: errors.map(({ instancePath, message }) => `${instancePath} ${message}`),
      compiler: compiler ?? "accepts it",
    })),
    `${disagreements.length} of ${judged.length} instances`,
  ).toEqual([]);
}

test("Feature: skill-sharing-protocol, Property 11: TypeScript types and JSON Schema agree on a fault at every node", () => {
  expectAgreement(enumerated);
  // It would be no test if one of the two were never asked.
  expect(enumerated.filter(({ errors, compiler }) => errors.length === 0 && !compiler).length).toBeGreaterThan(1000);
  expect(enumerated.filter(({ errors, compiler }) => errors.length > 0 && compiler).length).toBeGreaterThan(2000);
});

test("Feature: skill-sharing-protocol, Property 11: TypeScript types and JSON Schema agree on arbitrary documents, valid and spoilt", () => {
  const valid = Object.entries(documents).flatMap(([definition, document]) => fc.sample(document, 120).map((value) => ({ definition, value, what: "valid" })));
  const faulty = Object.entries(documents).flatMap(([definition, document]) => fc.sample(spoilt(document), 120).map((value) => ({ definition, value, what: "spoilt" })));
  const judged = judge([...valid, ...faulty]);
  expectAgreement(judged);
  expect(judged.filter(({ what, errors }) => what === "valid" && errors.length > 0)).toEqual([]);
});

test.each(Object.keys(differences))("types can't say %s: a document breaks it and has the type, at each place of the schema where it stands", (reason) => {
  const broken = enumerated.filter(({ errors, compiler }) => !compiler && errors.some((error) => reasonOf(error) === reason));
  expect(broken.some(({ errors }) => errors.every((error) => reasonOf(error) === reason)), "a document that breaks nothing else").toBe(true);
  const proven = new Set(broken.flatMap(({ errors }) => errors.filter((error) => reasonOf(error) === reason).map((error) => error.parentSchema)));
  const places = [...nodesOf(schema, "#")].filter(([, node]) => (reason === "integer" ? node.type === "integer" : reason in node));
  const unproven = places.filter(([, node]) => !proven.has(node)).map(([at]) => `${at}/${reason}`);
  expect(unproven).toEqual(tooLarge.filter((place) => place.endsWith(`/${reason}`)));
});

/** What can't be proven because it would take a document of a million items. */
const tooLarge = ["#/$defs/index/properties/skills/maxItems"];

/** Every part of the schema that documents are held against, with its place. */
function* nodesOf(node: Node, at: string): Generator<[string, Node]> {
  yield [at, node];
  for (const keyword of ["properties", "$defs"] as const) {
    for (const [name, inner] of Object.entries(node[keyword] ?? {})) {
      if (typeof inner === "object") {
        yield* nodesOf(inner, `${at}/${keyword}/${name}`);
      }
    }
  }
  for (const keyword of ["items", "additionalProperties", "then", "else"] as const) {
    if (node[keyword]) {
      yield* nodesOf(node[keyword], `${at}/${keyword}`);
    }
  }
  for (const [i, inner] of (node.allOf ?? []).entries()) {
    yield* nodesOf(inner, `${at}/allOf/${i}`);
  }
}

const parameter = (members: object) => descriptor({ inputs: [{ name: "a", type: "integer", ...members }] });

function descriptor(members: object): Instance {
  return { definition: "descriptor", value: { ...(enumerator.minimal({ $ref: "#/$defs/descriptor" }) as object), ...members }, what: "" };
}

const entry = enumerator.minimal({ $ref: "#/$defs/indexEntry" });

const breaking: Record<keyof typeof rulesBeside, Instance> = {
  "distinct names": descriptor({ inputs: [{ name: "a", type: "string" }, { name: "a", type: "string" }] }),
  "distinct ids": { definition: "index", value: { ...(enumerator.minimal({ $ref: "#/$defs/index" }) as object), skills: [entry, entry] }, what: "" },
  "type of the default": parameter({ default: 0.5 }),
  "type of the enum": parameter({ enum: [1, "2"] }),
  "default of the enum": parameter({ enum: [1, 2], default: 3 }),
};

test.each(Object.keys(rulesBeside))("neither types nor the schema say %s: it is needed", (rule) => {
  const instance = breaking[rule]!;
  expect(judge([instance])[0]).toMatchObject({ errors: [], compiler: undefined });
  expect(validate(instance.value, instance.definition as "descriptor" | "index")).toHaveLength(1);
});
