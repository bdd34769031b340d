import { ExactNumber } from "../src/number.js";

/** Writes a value as a TypeScript expression. Numbers that JavaScript can't hold become the constant exact. */
export function literal(value: unknown): string {
  if (value instanceof ExactNumber) {
    return "exact";
  }
  if (Array.isArray(value)) {
    return `[${value.map(literal).join()}]`;
  }
  if (typeof value === "object" && value !== null) {
    return `{${Object.entries(value).map(([name, member]) => `${key(name)}:${literal(member)}`).join()}}`;
  }
  return Object.is(value, -0) ? "-0" : JSON.stringify(value).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
}

/** A plain "__proto__" in a literal would set the prototype. */
function key(name: string): string {
  return name === "__proto__" ? `["__proto__"]` : literal(name);
}
