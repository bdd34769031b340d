import { describe, expect, test } from "vitest";
import { ExactNumber, isIndex, parse, ProtocolError, readJSON, serialize, validate, writeJSON } from "../src/index.js";
import { wholeExample } from "../generator/examples.js";

function fault(json: string | Uint8Array): Record<string, unknown> {
  try {
    readJSON(json);
  } catch (error) {
    if (error instanceof ProtocolError && error.code === "INVALID_JSON") {
      return error.details;
    }
    throw error;
  }
  throw new Error(`read: ${String(json)}`);
}

describe("reading JSON", () => {
  test.each<[string, unknown]>([
    [' { "a" : [ 1 , true , null , "x" ] } ', { a: [1, true, null, "x"] }],
    ['"\\u00e9\\ud83d\\ude00\\n\\/"', "é😀\n/"],
    ["0.1", 0.1],
    ["1.0", 1],
    ["-0", -0],
    ["1e3", 1000],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", new ExactNumber("9007199254740993")],
    ["0.30000000000000004", 0.30000000000000004],
    ["0.300000000000000044", new ExactNumber("0.300000000000000044")],
    ["1e400", new ExactNumber("1e400")],
    ["5e-324", 5e-324],
    ["1e-400", new ExactNumber("1e-400")],
  ])("%s", (json, value) => {
    expect(readJSON(json)).toEqual(value);
    expect(readJSON(new TextEncoder().encode(json))).toEqual(value);
  });

  test("a member named __proto__ is a member", () => {
    const value = readJSON('{"__proto__":{"a":1}}') as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(writeJSON(value)).toBe('{"__proto__":{"a":1}}');
  });

  test.each([
    ["", 0, "", "there is nothing but an empty text"],
    ['{"a":1,"\\u0061":2}', 7, "", 'the member name "a" stands twice in one object'],
    ['{"é":[1,]}', 9, "/é/1", "a value was expected"],
    ['{"a":{"b~/c":[true,fals', 19, "/a/b~0~1c/1", "a value was expected"],
    ['{"a":"x', 7, "/a", "the text ends too early"],
    ["[".repeat(65), 64, "/0".repeat(64), "objects and arrays nest deeper than 64"],
    ['["\\ud800"]', 1, "/0", "half of a surrogate pair stands alone"],
  ])("%s is refused at the byte, and in the value, where it goes wrong", (json, offset, pointer, reason) => {
    expect(fault(json)).toEqual({ offset, pointer, reason });
  });

  test("what is not UTF-8 is refused", () => {
    expect(fault(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ reason: "it is not UTF-8" });
  });
});

describe("writing JSON", () => {
  test.each<[unknown, string]>([
    [{ b: 1, a: [true, null], "\u{1F600}": 1, "\uFFFF": 2 }, '{"a":[true,null],"b":1,"\u{1F600}":1,"\uFFFF":2}'],
    ["\u0007\u2028<é", '"\\u0007\u2028<é"'],
    [{ a: undefined, b: -0 }, '{"b":-0}'],
    [new ExactNumber("1.50e+400"), "1.50e+400"],
    [1e21, "1e+21"],
  ])("$1", (value, json) => {
    expect(writeJSON(value)).toBe(json);
  });

  test("numbers keep their digits where they were read, and only there", () => {
    const value = readJSON('{"a":1.0,"b":[1e3,2.50],"c":{"d":1.0}}') as { a: number; b: number[]; c: { d: number } };
    expect(writeJSON(value)).toBe('{"a":1.0,"b":[1e3,2.50],"c":{"d":1.0}}');
    value.a = 2;
    value.b.reverse();
    value.c = { ...value.c };
    expect(writeJSON(value)).toBe('{"a":2,"b":[2.5,1000],"c":{"d":1}}');
  });

  const ring: Record<string, unknown> = {};
  ring.ring = ring;

  test.each<[string, unknown]>([
    ["NaN", NaN],
    ["Infinity", [Infinity]],
    ["undefined", undefined],
    ["undefined in an array", [undefined]],
    ["a function", { f: () => 1 }],
    ["a bigint", 1n],
    ["a Date", new Date(0)],
    ["a Map", new Map()],
    ["half of a surrogate pair", "\ud800"],
    ["a name with half of a surrogate pair", { "\ud800": 1 }],
    ["an object that holds itself", ring],
  ])("%s is refused and not changed in silence", (_, value) => {
    expect(() => writeJSON(value)).toThrow(TypeError);
    expect(validate({ ...wholeExample, x: value })).toEqual(value === undefined ? [] : [expect.objectContaining({ field: expect.stringMatching(/^\/x/) as string })]);
  });
});

describe("an exact number", () => {
  const big = new ExactNumber("12345678901234567890");

  test("keeps its digits, and gives the nearest number when it is asked for", () => {
    expect(`${big}`).toBe("12345678901234567890");
    expect(big.toNumber()).toBe(12345678901234567000);
  });

  test("is never changed by JSON.stringify", () => {
    const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
    const stringify = () => JSON.stringify({ big });
    if (rawJSON) {
      expect(stringify()).toBe('{"big":12345678901234567890}');
    } else {
      expect(stringify).toThrow(TypeError);
    }
  });

  test.each(["", "1.", "01", "+1", "Infinity", "0x10", " 1"])("%j is not the text of one", (text) => {
    expect(() => new ExactNumber(text)).toThrow(TypeError);
  });

  test("counts as the number that it is", () => {
    const request = (timeout: unknown) => ({ caller: { id: "a", type: "user" }, skill_id: "com.example.a", inputs: {}, context: { timeout_ms: timeout, priority: big } });
    expect(validate(request(1), "invocation-request")).toEqual([]);
    expect(validate(request(new ExactNumber("1.0")), "invocation-request")).toEqual([]);
    expect(validate(request(big), "invocation-request")).toMatchObject([{ field: "/context/timeout_ms", expected: "at most 9007199254740991", actual: "12345678901234567890" }]);
    expect(validate(request(new ExactNumber("1.00000000000000000001")), "invocation-request")).toMatchObject([{ field: "/context/timeout_ms", expected: "an integer" }]);
  });
});

describe("a document", () => {
  test("says all that is wrong with it in its message and its details", () => {
    const text = serialize({ ...wholeExample, name: "", access: "open", version: "1", id: "A" } as never);
    expect(() => parse(text)).toThrow(expect.objectContaining({
      code: "VALIDATION_ERROR",
      message: "The document breaks 4 rules. /access: expected one of: public, restricted, private, got open; /id: expected at least 3 characters, got A; /name: expected at least 1 character, got an empty string; …",
      details: { violations: [{ field: "/access" }, { field: "/id" }, { field: "/name" }, { field: "/version" }].map((violation) => expect.objectContaining(violation) as unknown) },
    }));
  });

  test("is checked within limits, which can be others", () => {
    const many = serialize({ ...wholeExample, x: Array(20_000).fill(1) } as never);
    expect(() => parse(many)).toThrow(expect.objectContaining({ details: { violations: [expect.objectContaining({ field: "/x" })] } }));
    expect(parse(many, "descriptor", { maxValues: 30_000 }).id).toBe(wholeExample.id);
    const entry = { id: "com.example.a", name: "A", capability_type: "api", description: "A", descriptor_url: "https://example.com/a", access: "public", version: "1.0.0" };
    const large = { protocol: { version: "1.0.0" }, provider: { name: "P" }, skills: Array.from({ length: 3_000 }, (_, i) => ({ ...entry, id: `com.example.a${i}` })) };
    expect(validate(large, "index")).toMatchObject([{ expected: "at most 2000 objects in the whole document" }]);
    expect(isIndex(large), "a guard has no such limit").toBe(true);
    const deep = serialize({ ...wholeExample, x: JSON.parse("[".repeat(100) + "]".repeat(100)) as unknown } as never);
    expect(() => parse(deep)).toThrow(expect.objectContaining({ code: "INVALID_JSON" }));
    expect(parse(deep, "descriptor", { maxDepth: 101 }).id).toBe(wholeExample.id);
  });
});
