import type { ErrorDetail, Retry } from "./generated/types.js";

/** The codes that a ProtocolError has of this package's own accord. A registry has more. */
export type OwnCode = "INVALID_JSON" | "VALIDATION_ERROR" | "VERSION_INCOMPATIBLE" | "ENDPOINT_UNREACHABLE" | "UNEXPECTED_ANSWER";

/**
 * The one class of errors that this package throws, in the form of a registry's error
 * answer; a wrong use of the package itself is a TypeError or RangeError. It comes
 *
 * - from reading: INVALID_JSON, VALIDATION_ERROR with details.violations, and
 *   VERSION_INCOMPATIBLE with details.descriptor_version;
 * - from a registry that refuses a request: its code, details and retry, with the status;
 * - from a registry that can't be reached (ENDPOINT_UNREACHABLE without a status), and from
 *   something that answers and is none (UNEXPECTED_ANSWER).
 */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  readonly code: OwnCode | (string & {});
  /** More about this kind of error; empty when there is no more to say. */
  readonly details: NonNullable<ErrorDetail["details"]>;
  /** When the same request is worth another try, if the registry says so. */
  readonly retry: Retry | undefined;
  /** The status of the answer; undefined when the error is not an answer. */
  readonly status: number | undefined;
  /** What to quote to the registry's operator. */
  readonly requestId: string | undefined;

  constructor(error: ErrorDetail, answer: { status?: number; requestId?: string | undefined; cause?: unknown } = {}) {
    super(messageOf(error), "cause" in answer ? { cause: answer.cause } : undefined);
    this.code = error.code;
    this.details = error.details ?? {};
    this.retry = error.retry;
    this.status = answer.status;
    this.requestId = answer.requestId;
  }
}

/** The message, with the first of the violations: people read it in a log before they look at the details. */
function messageOf({ message, details }: ErrorDetail): string {
  const violations = details?.violations ?? [];
  const first = violations.slice(0, 3).map(({ field, expected, actual }) => `${field || "the document"}: expected ${expected}, got ${actual}`);
  return violations.length === 0 ? message : `${message} ${first.join("; ")}${violations.length > 3 ? "; …" : ""}`;
}
