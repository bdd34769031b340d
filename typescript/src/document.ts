import { ProtocolError } from "./error.js";
import type { Documents, Kind } from "./kinds.js";
import { type Limits, readJSON } from "./read.js";
import { validate } from "./validate.js";
import { checkCompatibility, versionOf } from "./version.js";
import { count } from "./words.js";
import { writeJSON } from "./write.js";

/**
 * Reads a document from JSON, as strictly as a registry does. Members that the protocol
 * does not name are kept, and serialize writes every number as it was. Throws a
 * ProtocolError: INVALID_JSON; VERSION_INCOMPATIBLE when its protocol MAJOR is another
 * one; VALIDATION_ERROR with every violation in details.violations.
 */
export function parse<K extends Kind = "descriptor">(json: string | Uint8Array, kind?: K, limits?: Limits): Documents[K] {
  const document = readJSON(json, limits);
  const version = versionOf(document, kind ?? "descriptor");
  if (version !== undefined) {
    checkCompatibility(version);
  }
  const violations = validate(document, kind, limits);
  if (violations.length > 0) {
    throw new ProtocolError({ code: "VALIDATION_ERROR", message: `The document breaks ${count(violations.length, "rule")}.`, details: { violations } });
  }
  return document as Documents[K];
}

/**
 * Writes a document as canonical JSON, the form in which a registry stores and serves it:
 * members in the order of RFC 8785, no space, every number with the digits that it was read
 * with. It does not validate. Throws a TypeError for a value that JSON can't say.
 */
export function serialize(document: Documents[Kind]): string {
  return writeJSON(document);
}
