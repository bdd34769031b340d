import fc from "fast-check";
import { expect, inject, test } from "vitest";
import { type Documents, type Kind, parse, ProtocolError, readJSON, SkillRegistry, validate, writeJSON } from "../src/index.js";
import { jsonType } from "../src/write.js";
import * as arbitrary from "./arbitraries.js";
import { fieldsOf, foundByFuzzing, goVerdicts, madeInGo, type Sent, type Verdict } from "./corpus.js";
import { spoilt } from "./mutations.js";

const documents: Record<Kind, fc.Arbitrary<Documents[Kind]>> = {
  descriptor: arbitrary.descriptor,
  index: arbitrary.index,
  "invocation-request": arbitrary.invocationRequest,
  "invocation-response": arbitrary.invocationResponse,
};

/** Documents made here: valid ones and spoilt ones of each kind. */
function madeHere(count: number): Sent[] {
  return Object.entries(documents).flatMap(([kind, document]) =>
    [...fc.sample(document, count), ...fc.sample(spoilt(document), count)].map((value) => ({ kind: kind as Kind, bytes: Buffer.from(writeJSON(value)) })),
  );
}

/** Documents that people and attackers send. */
const text = (json: string, kind: Kind = "descriptor"): Sent => ({ kind, bytes: Buffer.from(json) });
const valid = JSON.stringify({
  protocol: { version: "1.0.0" }, id: "com.example.a", name: "A", version: "1.0.0", capability_type: "api", description: "A", provider: { name: "P" },
  endpoint: { url: "https://example.com" }, inputs: [], output: { type: "object" }, auth: { type: "none" }, access: "public",
});
const byHand: Sent[] = [
  text(""), text(" "), text("nope"), text("{}"), text("[]"), text("null"), text("1"), text('"x"'), text("{}{}"), text("{} x"), text("{\"a\":1,}"), text("{'a':1}"),
  text('{"a":01}'), text('{"a":+1}'), text('{"a":.5}'), text('{"a":1.}'), text('{"a":NaN}'), text('{"a":1e}'), text('{/**/}'), text('{"a":1,"a":2}'),
  text('{"a":1,"\\u0061":2}'), text('{"a":{"b":1,"b":1}}'), text('{"a":"\\ud800"}'), text('{"\\udc00":1}'), text('{"a":"\\ud83d\\ude00"}'), text('{"a":"\\x"}'),
  text('{"a":"\u0001"}'), text('{"a":"\t"}'), text("\ufeff{}"), text("{\u00a0}"), text("{}\0"), text("{\"a\":tru}"), text("{\"a\":truex}"), text('{"a"}'), text('{"a":}'), text('{"a":1 "b":2}'),
  text(`{"a":${"9".repeat(400)}}`), text(`{"a":${"9".repeat(401)}}`), text('{"a":1e400}'), text('{"a":1e401}'), text('{"a":1e-401}'), text('{"a":1e+0400}'), text('{"a":1E99999999999999999999}'),
  text("[".repeat(64) + "]".repeat(64)), text("[".repeat(65) + "]".repeat(65)), text("[".repeat(5000)), text(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`), text(`{"a":${"[".repeat(64)}${"]".repeat(64)}}`),
  { kind: "descriptor", bytes: Buffer.from([0xff, 0xfe, 0x7b, 0]) }, { kind: "descriptor", bytes: Buffer.from('{"a":"\xff"}', "latin1") }, { kind: "descriptor", bytes: Buffer.from('{"a":"\xc0\xaf"}', "latin1") },
  { kind: "descriptor", bytes: Buffer.from('{"a":"\xed\xa0\x80"}', "latin1") }, text(valid.slice(0, -1)), text(`${valid}\n`), text(valid.replace('"version":"1', '"version":"2')),
  text(valid.replace("{", '{"x":12345678901234567890.10,"y":-0,"z":1E+2,"__proto__":{"a":1.0},')),
  text(valid.replace("{", `{"x":[${Array(20_001).fill("1").join()}],`)), text(valid.replace("{", `{"x":[${Array(2_001).fill("{}").join()}],`)),
  text('{"protocol":{"version":"2.0.0"},"provider":{},"skills":[]}', "index"), text('{"protocol":{"version":"1.0"},"provider":{"name":"P"},"skills":[{"id":"a.b"},{"id":"a.b"}]}', "index"),
];
const parameters = [
  { type: "integer", default: "1.0" }, { type: "integer", default: "1.5" }, { type: "integer", default: "1e400" }, { type: "integer", default: "1.00000000000000000000000001" },
  { type: "integer", default: "100e-2", enum: "[1]" }, { type: "number", default: "0.1", enum: "[0.10,2]" }, { type: "number", default: "0.1", enum: "[0.10000000000000000001]" },
  { type: "number", default: "12345678901234567890", enum: "[12345678901234567891]" }, { type: "number", default: "-0", enum: "[0]" }, { type: "object", default: '{"a":1,"b":2}', enum: '[{"b":2.0,"a":1}]' },
  { type: "array", default: "[1,2]", enum: "[[2,1]]" }, { type: "string", default: "null", enum: '["null"]' }, { type: "string", default: '"a"', enum: '["b",1]' }, { type: "boolean", default: "0" },
  { type: "boolean", default: "false", enum: "[]" }, { type: "any", default: "1" }, { type: "integer", schema: '{"maxLength":-1e-400,"minLength":1.0,"multipleOf":1e-400,"maxItems":1e400}' },
  { type: "integer", schema: '{"maxLength":9007199254740993.5,"multipleOf":-1e400,"multipleOf2":0,"required":["a","a"],"type":["null","null"]}' },
  { type: "integer", schema: '{"required":[1,1.0],"type":[1,1],"enum":[1,1],"dependentRequired":{"a/b~c":["x","x"]}}' },
  { type: "integer", schema: '{"required":[12345678901234567890,12345678901234567891],"$ref":"#/é","$anchor":"é"}' },
].map(({ type, ...values }) => {
  const members = Object.entries(values).map(([name, json]) => `,"${name}":${json}`).join("");
  return text(valid.replace('"inputs":[]', `"inputs":[{"name":"a","type":"${type}"${members}},{"name":"b","type":"string"}]`));
});

function verdictHere({ kind, bytes }: Sent): Verdict {
  const verdict: Verdict = { code: "", fields: [], canonical: "" };
  try {
    const value = readJSON(bytes);
    verdict.canonical = jsonType(value) === "object" ? writeJSON(value) : "";
    if (kind === "descriptor") {
      parse(bytes);
    }
    verdict.fields = fieldsOf(validate(value, kind));
    verdict.code = verdict.fields.length > 0 ? "VALIDATION_ERROR" : "";
  } catch (error) {
    if (!(error instanceof ProtocolError)) {
      throw error;
    }
    verdict.code = error.code;
    verdict.fields = fieldsOf(error.details.violations ?? []);
  }
  return verdict;
}

/** What the running registry says: of a descriptor when it is published as a dry run, of the others when they are checked. */
async function registryVerdict(registry: SkillRegistry, { kind, bytes }: Sent): Promise<Omit<Verdict, "canonical">> {
  try {
    const { valid, violations } = await registry.validate(bytes, { kind });
    if (kind === "descriptor") {
      await registry.publish(bytes, { dryRun: true });
    }
    return { code: valid ? "" : "VALIDATION_ERROR", fields: fieldsOf(violations) };
  } catch (error) {
    if (!(error instanceof ProtocolError)) {
      throw error;
    }
    return { code: error.code, fields: fieldsOf(error.details.violations ?? []) };
  }
}

test("every document gets one verdict: from the Go package, the running registry and this package", async () => {
  const all = [...byHand, ...parameters, ...foundByFuzzing(), ...madeInGo(400, Date.now() % 1_000_000_000), ...madeHere(50)];
  const registry = new SkillRegistry(inject("url"), { key: inject("adminKey") });
  const go = goVerdicts(all);
  expect(go).toHaveLength(all.length);
  const differences = [];
  for (const [i, sent] of all.entries()) {
    const { canonical, ...verdict } = go[i]!;
    const here = verdictHere(sent);
    const served = await registryVerdict(registry, sent);
    try {
      expect(here).toEqual({ canonical, ...verdict });
      expect(served).toEqual(verdict);
    } catch {
      differences.push({ sent: `${sent.kind} ${sent.bytes.toString().slice(0, 3000)}`, go: verdict, here: { ...here, canonical: here.canonical === canonical }, served });
    }
  }
  expect(differences.slice(0, 5), `${differences.length} of ${all.length}`).toEqual([]);
  const count = (code: string) => go.filter((verdict) => verdict.code === code).length;
  expect(all.length).toBeGreaterThanOrEqual(500);
  expect(count("")).toBeGreaterThan(200);
  expect(count("VALIDATION_ERROR")).toBeGreaterThan(150);
  expect(count("INVALID_JSON")).toBeGreaterThan(40);
});
