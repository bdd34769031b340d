import { type ExactNumber, normalNumber } from "./number.js";
import { jsonType } from "./write.js";

/**
 * The form that equal JSON values share, and no others: numbers by their value, objects
 * whatever the order of their members.
 */
export function normalForm(value: unknown): string {
  switch (jsonType(value)) {
    case "number":
      return normalNumber(value as number | ExactNumber);
    case "array":
      return `[${(value as unknown[]).map(normalForm).join()}]`;
    case "object": {
      const members = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${normalForm(member)}`).join()}}`;
    }
  }
  return JSON.stringify(value);
}
