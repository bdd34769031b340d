import { ProtocolError } from "./error.js";
import type { Kind } from "./kinds.js";
import { valueAt } from "./pointer.js";

/** The version of the protocol that this package implements. */
export const protocolVersion = "1.0.0";

/** The range of protocol versions that this package reads. */
export const supportedRange = "1.x.x";

/**
 * Throws a ProtocolError when a document of the given protocol version can't be read here:
 * VERSION_INCOMPATIBLE when its MAJOR is another one, VALIDATION_ERROR when it is not
 * MAJOR.MINOR.PATCH.
 */
export function checkCompatibility(documentVersion: string): void {
  if (!isProtocolVersion(documentVersion)) {
    const expected = `a protocol version MAJOR.MINOR.PATCH of plain integers, such as ${protocolVersion}`;
    throw new ProtocolError({
      code: "VALIDATION_ERROR",
      message: "The protocol version is not one.",
      details: { violations: [{ field: "/protocol/version", expected, actual: documentVersion }] },
    });
  }
  if (!isReadable(documentVersion)) {
    throw new ProtocolError({
      code: "VERSION_INCOMPATIBLE",
      message: `The document is written in protocol ${documentVersion}, and this package reads ${supportedRange}.`,
      details: { descriptor_version: documentVersion, consumer_supported_range: supportedRange },
    });
  }
}

/** The protocol version that a document says it is written in, where it says a well-formed one. */
export function versionOf(document: unknown, kind: Kind): string | undefined {
  if (kind !== "descriptor" && kind !== "index") {
    return undefined; // invocation messages don't say it
  }
  const version = valueAt(document, "/protocol/version");
  return typeof version === "string" && isProtocolVersion(version) ? version : undefined;
}

/** Reports whether a well-formed protocol version can be read here. */
export function isReadable(version: string): boolean {
  return version.startsWith("1.");
}

/** Reports whether a version is strictly MAJOR.MINOR.PATCH, as the schema has it. */
function isProtocolVersion(version: string): boolean {
  return version.length <= 200 && /^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)$/.test(version);
}
