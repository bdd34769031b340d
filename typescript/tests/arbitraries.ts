import fc from "fast-check";
import { type Node, resolve } from "../generator/schema.js";
import type { Descriptor, Index, InvocationRequest, InvocationResponse } from "../src/index.js";
import { type ExactNumber, isInteger, readNumber } from "../src/number.js";
import { schema } from "./schema.js";

// Arbitrary documents that are valid, and hard: made from the schema itself, so that a member
// that is added there is tested. Only what its strings look like is said here.

const hardText = ["é", "日本語", "😀", "👩‍👩‍👧", "\u2028", "\u202e", "<b>&amp;", '"quoted"', "back\\slash", "a/b~c", "null", "İ", "e\u0301", "\uffff", "{execution_id}", "__proto__"];

const character = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...hardText) }, fc.string({ unit: "binary", minLength: 1, maxLength: 1 }), fc.constantFrom("a", "B", " "));

/** One line of text that shows something. */
const line = (limit: number) =>
  fc.tuple(fc.constantFrom("a", "Z", "0", "é", "語", "😀", '"', "\\", "<"), fc.array(character, { maxLength: 20 }), fc.boolean()).map(([first, rest, huge]) => {
    const text = [first, ...rest.join("").replace(/[\u0000-\u001f\u007f-\u009f]/g, "x")].join("");
    return [...text, ...(huge && limit <= 200 ? "語".repeat(limit) : "")].slice(0, limit).join("");
  });

const part = (pattern: RegExp) => fc.stringMatching(pattern);
const version = part(/^(0|[1-9][0-9]{0,20})\.(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})(-(rc|[a-z-]{1,4})(\.[1-9][0-9]?)?)?(\+[0-9A-Za-z-]{1,4})?$/);
const url = fc
  .tuple(
    fc.constantFrom("https://", "http://", "HTTPS://"),
    fc.constantFrom("example.com", "localhost", "a.b-c.example", "127.0.0.1", "[::1]", "[2001:db8::8:800:200c:417a]", "example.com."),
    fc.constantFrom("", ":1", ":8080", ":65535"),
    fc.constantFrom("", "/", "/a/b%20c/", "/v1?q=1&r[]=%C3%A9", "/x#top", "?q", "/a;b=1,2/~user/(x)", `/${"p".repeat(1900)}`),
  )
  .map((parts) => parts.join(""));
const time = part(/^2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,12})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$/);

/** What the strings of a definition, or with a keyword's description, look like. */
const looks: Record<string, fc.Arbitrary<string>> = {
  id: fc.oneof(part(/^[a-z0-9]{3}$/), part(/^(com|org)\.[a-z0-9]{1,8}([._-][a-z0-9]{1,8}){1,4}$/)),
  semanticVersion: version,
  protocolVersionNumber: fc.oneof(fc.constant("1.0.0"), part(/^1\.(0|[1-9][0-9]{0,30})\.(0|[1-9][0-9]{0,3})$/)),
  url,
  executionUrl: fc.constantFrom("https://example.com/{execution_id}", "http://[::1]:1/?e={execution_id}&x"),
  dateTime: time,
  mediaType: fc.constantFrom("application/json", "text/plain; charset=utf-8", 'application/vnd.example+json;v="1 2"'),
  line: line(100),
  text: fc.array(line(200), { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\r\n\t")),
  note: fc.oneof(fc.constant(""), line(200)),
};

/** Strings for what has no definition of its own. */
const others = ["", "POST", "GET", "M-SEARCH", "X-API-Key", "x~!#$%&'*+.^_`|", "A_CODE", "#", "#/$defs/a", "/a~1b/0", "_x.y-1", "https://json-schema.org/draft/2020-12/schema", "^(?!x)[a-z", "é"];

const numberText = fc.oneof(
  fc.constantFrom("0", "-0", "0.0", "1.0", "1E3", "1e+400", "-1.5e-400", "12345678901234567890", "3.14159265358979323846264338327950288", "0.1"),
  part(/^-?(0|[1-9][0-9]{0,40})(\.[0-9]{1,40})?([eE][+-]?[1-3]?[0-9]{1,2})?$/),
);

/** Any number of JSON. */
export const number: fc.Arbitrary<number | ExactNumber> = numberText.map(readNumber);

const integer = fc.oneof(fc.integer(), number.filter(isInteger), fc.constantFrom("1e400", "-100e-2", "12345678901234567890").map(readNumber));

/** Any name of a member. */
const memberName = fc.oneof(fc.constantFrom("x_vendor", "", "a/b", "m~n", "__proto__", "constructor", "é", "\u0000", "😀", "ID"), fc.string({ unit: "binary", maxLength: 5 }));

/** Any value of JSON, nested at most depth deep. */
export function value(depth: number): fc.Arbitrary<unknown> {
  const scalar: fc.Arbitrary<unknown> = fc.oneof(fc.constant(null), fc.boolean(), number, fc.string({ unit: "binary", maxLength: 10 }), fc.constantFrom(...hardText));
  return depth === 0 ? scalar : fc.oneof({ weight: 2, arbitrary: scalar }, fc.array(value(depth - 1), { maxLength: 3 }), object(value(depth - 1)));
}

function object(of: fc.Arbitrary<unknown>): fc.Arbitrary<Record<string, unknown>> {
  return fc.array(fc.tuple(memberName, of), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

const ofType: Record<string, fc.Arbitrary<unknown>> = {
  string: fc.string({ unit: "binary", maxLength: 10 }),
  number,
  integer,
  boolean: fc.boolean(),
  array: fc.array(value(1), { maxLength: 3 }),
  object: object(value(1)),
};

/** The arbitraries of definitions, by their name and depth: each is built once. */
const built = new Map<string, fc.Arbitrary<unknown>>();

function definition(name: string, depth: number): fc.Arbitrary<unknown> {
  const key = `${name} ${depth}`;
  let arbitrary = built.get(key);
  if (!arbitrary) {
    const target = resolve(schema, `#/$defs/${name}`);
    arbitrary = name === "parameter" ? parameter(target, depth) : valid(target, depth);
    built.set(key, arbitrary);
  }
  return arbitrary;
}

/** Valid values of a part of the schema; depth bounds how often a definition may hold itself. */
function valid(node: Node | boolean, depth: number): fc.Arbitrary<unknown> {
  if (typeof node === "boolean") {
    return value(1);
  }
  const [, name = ""] = /^#\/\$defs\/(\w+)$/.exec(node.$ref ?? "") ?? [];
  if (name in looks) {
    return looks[name]!.filter((text) => text.length <= Number(node.maxLength ?? Infinity));
  }
  if (name) {
    return definition(name, name === "jsonSchema" ? depth - 1 : depth);
  }
  if (node.$ref) {
    return valid(resolve(schema, node.$ref), depth);
  }
  if (node.enum) {
    return fc.constantFrom(...node.enum);
  }
  if (node.type === undefined) {
    return value(2);
  }
  return fc.oneof(...[node.type].flat().map((type) => validOfType(type, node, depth)));
}

function validOfType(type: string, node: Node, depth: number): fc.Arbitrary<unknown> {
  if (typeof node.if?.type === "string") {
    const branch = (node.if.type === type ? node.then : node.else) ?? {};
    return validOfType(type, branch.$ref ? resolve(schema, branch.$ref) : branch, depth);
  }
  switch (type) {
    case "string":
      return fc.constantFrom(...(node.enum ?? others.filter((text) => new RegExp(String(node.pattern ?? ""), "u").test(text) && text.length >= Number(node.minLength ?? 0))));
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: Number(node.minimum ?? -1e9), max: Number(node.maximum ?? 1e9) });
    case "number":
      return node.exclusiveMinimum === undefined ? number : fc.constantFrom("1", "0.1", "1e-400", "12345678901234567890.5").map(readNumber);
    case "array": {
      const items = valid(node.items ?? true, depth);
      const limits = { minLength: Number(node.minItems ?? 0), maxLength: 3 };
      return node.uniqueItems ? fc.uniqueArray(items, limits) : fc.array(items, limits);
    }
  }
  return validObject(node, depth);
}

const absent = Symbol("absent");

function validObject(node: Node, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const required = node.required ?? [];
  const all = Object.entries(node.properties ?? {});
  // At its depth a schema holds no schemas any more.
  const entries = depth > 0 ? all : all.filter(([, member]) => !JSON.stringify(member).includes("jsonSchema"));
  const consequent = node.then?.required ?? [];
  const isDue = (document: Record<string, unknown>) =>
    Object.entries(node.if?.properties ?? {}).every(([name, condition]) => typeof condition === "object" && document[name] === condition.const);
  // An optional member is there half of the time, and one of very many seldom.
  const weight = Math.max(1, Math.floor(entries.length / 6));
  const members = Object.fromEntries(
    entries.map(([name, member]) => {
      const arbitrary = valid(member, depth);
      const always = required.includes(name) || consequent.includes(name);
      return [name, always ? arbitrary : fc.oneof({ weight, arbitrary: fc.constant(absent) }, arbitrary)];
    }),
  );
  const names = new Set(all.map(([name]) => name));
  return fc.tuple(fc.record(members), fc.boolean(), fc.option(object(value(1)), { freq: 1, nil: {} })).map(([full, dropped, unknown]) => {
    const kept = Object.entries(full).filter(([name, of]) => of !== absent && !(consequent.includes(name) && dropped && !isDue(full)));
    const strange = node.additionalProperties ? [] : Object.entries(unknown).filter(([name]) => !names.has(name));
    return Object.fromEntries([...strange, ...kept]);
  });
}

/** Parameters with values that are of their type. */
function parameter(node: Node, depth: number): fc.Arbitrary<unknown> {
  const types = resolve(schema, "#/$defs/valueType").enum!;
  return fc.tuple(validObject(node, depth), fc.constantFrom(...types)).chain(([parameter, type]) =>
    fc.array(ofType[type]!, { minLength: 1, maxLength: 3 }).map((values) => ({
      ...parameter,
      type,
      ...("enum" in parameter ? { enum: values } : {}),
      ...("default" in parameter ? { default: values[0] } : {}),
    })),
  );
}

/** Makes what must be distinct so. */
function distinct<T>(list: unknown, member: string): T[] {
  const all = list as Record<string, string>[];
  return all.filter((one, i) => all.findIndex((other) => other[member] === one[member]) === i) as T[];
}

export const descriptor = definition("descriptor", 3).map((d) => ({ ...(d as Descriptor), inputs: distinct((d as Descriptor).inputs, "name") })) as fc.Arbitrary<Descriptor>;
export const index = definition("index", 3).map((d) => ({ ...(d as Index), skills: distinct((d as Index).skills, "id") })) as fc.Arbitrary<Index>;
export const invocationRequest = definition("invocationRequest", 3) as fc.Arbitrary<InvocationRequest>;
export const invocationResponse = definition("invocationResponse", 3) as fc.Arbitrary<InvocationResponse>;
export const errorAnswer = definition("error", 3);
