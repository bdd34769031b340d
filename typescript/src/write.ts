import { ExactNumber, spellingOf } from "./number.js";

/** The types of JSON, in the words of JSON Schema. */
export type JSONType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** The JSON type of a value; undefined for what JSON can't say, such as NaN or a Date. */
export function jsonType(value: unknown): JSONType | undefined {
  switch (typeof value) {
    case "boolean":
      return "boolean";
    case "number":
      return Number.isFinite(value) ? "number" : undefined;
    case "string":
      return value.isWellFormed() ? "string" : undefined;
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return "array";
      if (value instanceof ExactNumber) return "number";
      return Object.prototype.toString.call(value) === "[object Object]" ? "object" : undefined;
  }
  return undefined;
}

/**
 * Writes a value as canonical JSON: members in the order of RFC 8785, no space, every
 * number with the digits that it was read with. Members that are undefined are left out,
 * as JSON.stringify leaves them out. Throws a TypeError for a value that JSON can't say:
 * nothing is changed in silence.
 */
export function writeJSON(value: unknown): string {
  return write({ "": value }, "", []);
}

function write(holder: object, member: string, outer: object[]): string {
  const value = (holder as Record<string, unknown>)[member];
  const refuse = (reason: string) => new TypeError(`the member ${JSON.stringify(member)} can't be written as JSON: ${reason}`);
  switch (jsonType(value)) {
    case "null":
    case "boolean":
      return String(value);
    case "string":
      return JSON.stringify(value);
    case "number":
      return value instanceof ExactNumber ? value.text : writeNumber(holder, member, value as number);
    case undefined:
      throw refuse(`it is ${nameOf(value)}`);
  }
  const inner = value as object;
  if (outer.includes(inner)) {
    throw refuse("it holds itself");
  }
  const around = [...outer, inner];
  if (Array.isArray(inner)) {
    return `[${Array.from(inner, (_, i) => write(inner, String(i), around)).join()}]`;
  }
  // The default order is by UTF-16 code units, which is the one of RFC 8785.
  const names = Object.keys(inner).filter((name) => (inner as Record<string, unknown>)[name] !== undefined).sort();
  return `{${names.map((name) => {
    if (!name.isWellFormed()) {
      throw refuse(`it has a name with half of a surrogate pair`);
    }
    return `${JSON.stringify(name)}:${write(inner, name, around)}`;
  }).join()}}`;
}

function writeNumber(holder: object, member: string, value: number): string {
  return spellingOf(holder, member, value) ?? (Object.is(value, -0) ? "-0" : String(value));
}

/** Names what JSON can't say. */
export function nameOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return "text with half of a surrogate pair";
    case "object":
      return `a ${Object.prototype.toString.call(value).slice(8, -1)}`;
    case "number":
    case "undefined":
      return String(value);
    default:
      return `a ${typeof value}`;
  }
}
