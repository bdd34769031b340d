import { Findings, Rank } from "./findings.js";
import type { Violation } from "./generated/types.js";
import { definitions, type Kind } from "./kinds.js";
import { ExactNumber, standIn } from "./number.js";
import { pointerTo } from "./pointer.js";
import { defaultMaxDepth } from "./read.js";
import { checkRules } from "./rules.js";
import { checkSchema } from "./schema-check.js";
import { isReadable, supportedRange, versionOf } from "./version.js";
import { show, showTyped } from "./words.js";
import { jsonType, nameOf } from "./write.js";

/**
 * Lists every violation of a document: none when it is valid. Each has a JSON Pointer to
 * the member that is wrong, or to where a missing one belongs, and they are those that a
 * registry lists. A member that is undefined is a member that is not there. A protocol
 * MAJOR that can't be read here is the one violation then, at /protocol/version.
 */
export function validate(document: unknown, kind: Kind = "descriptor"): Violation[] {
  const version = versionOf(document, kind);
  if (version !== undefined && !isReadable(version)) {
    return [{ field: "/protocol/version", expected: `a protocol version in ${supportedRange}`, actual: version }];
  }
  return violations(document, definitions[kind], kind);
}

/** Lists the violations by a document of a definition of the schema, and of a kind's rules beside it. */
export function violations(document: unknown, definition: string, kind?: Kind): Violation[] {
  if (jsonType(document) !== "object") {
    return [{ field: "", expected: "an object", actual: showTyped(document) }];
  }
  const found = new Findings();
  const plain = plainOf(document, "", 1, found);
  if (found.size === 0) { // it is JSON at all
    checkSchema(definition, document, plain, found);
    if (kind) {
      checkRules(kind, document as Record<string, unknown>, found);
    }
  }
  return found.violations();
}

/**
 * Copies a document with a plain number in the place of each that JavaScript can't hold,
 * which the schema's validator can take. What is no JSON is a finding.
 */
function plainOf(value: unknown, at: string, depth: number, found: Findings): unknown {
  const type = jsonType(value);
  if (type === undefined) {
    found.add(Rank.Type, at, "a JSON value", nameOf(value));
  }
  if (type !== "array" && type !== "object") {
    return value instanceof ExactNumber ? standIn(value) : value;
  }
  if (depth > defaultMaxDepth) {
    found.add(Rank.Other, at, `objects and arrays that nest at most ${defaultMaxDepth} deep`, show(value));
    return value;
  }
  if (type === "array") {
    return Array.from(value as unknown[], (item, i) => plainOf(item, pointerTo(at, i), depth + 1, found));
  }
  const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
  for (const [name] of members) {
    if (!name.isWellFormed()) {
      found.add(Rank.Other, at, "names of whole characters", "a name with half of a surrogate pair");
    }
  }
  return Object.fromEntries(members.map(([name, member]) => [name, plainOf(member, pointerTo(at, name), depth + 1, found)]));
}
