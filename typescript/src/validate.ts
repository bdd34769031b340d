import { Findings } from "./findings.js";
import type { Violation } from "./generated/types.js";
import { definitions, type Kind } from "./kinds.js";
import { Plain } from "./plain.js";
import type { Limits } from "./read.js";
import { checkRules } from "./rules.js";
import { checkSchema } from "./schema-check.js";
import { isReadable, supportedRange, versionOf } from "./version.js";
import { showTyped } from "./words.js";
import { jsonType } from "./write.js";

/**
 * Lists every violation of a document: none when it is valid. Each has a JSON Pointer to
 * the member that is wrong, or to where a missing one belongs, and they are those that a
 * registry lists. A member that is undefined is a member that is not there. A protocol
 * MAJOR that can't be read here is the one violation then, at /protocol/version.
 */
export function validate(document: unknown, kind: Kind = "descriptor", limits: Limits = {}): Violation[] {
  const version = versionOf(document, kind);
  if (version !== undefined && !isReadable(version)) {
    return [{ field: "/protocol/version", expected: `a protocol version in ${supportedRange}`, actual: version }];
  }
  return violations(document, definitions[kind], kind, limits);
}

/** Lists the violations by a document of a definition of the schema, and of a kind's rules beside it. */
export function violations(document: unknown, definition: string, kind?: Kind, limits: Limits = {}): Violation[] {
  if (jsonType(document) !== "object") {
    return [{ field: "", expected: "an object", actual: showTyped(document) }];
  }
  const { plain, faults } = new Plain(limits).of(document);
  if (faults.length > 0) {
    return faults;
  }
  const found = new Findings();
  checkSchema(definition, document, plain, found);
  if (kind) {
    checkRules(kind, document as Record<string, unknown>, found);
  }
  return found.violations();
}
