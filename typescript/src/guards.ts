import { schema } from "./generated/schema.js";
import type { Access, CapabilityType, Descriptor, ErrorAnswer, Index, InvocationRequest, InvocationResponse } from "./generated/types.js";
import { validate, violations } from "./validate.js";

/** The capability types, in the order of the protocol. */
export const capabilityTypes: readonly CapabilityType[] = enumOf("capabilityType");

/** The access levels, from open to closed. */
export const accessLevels: readonly Access[] = enumOf("access");

function enumOf<T>(definition: string): readonly T[] {
  return (schema.$defs as Record<string, { enum: T[] }>)[definition]!.enum;
}

// Each guard reports whether a value is valid as a whole, not only of the type's shape, however
// large it is.

const unlimited = { maxValues: Infinity };

export function isDescriptor(value: unknown): value is Descriptor {
  return validate(value, "descriptor", unlimited).length === 0;
}

export function isIndex(value: unknown): value is Index {
  return validate(value, "index", unlimited).length === 0;
}

export function isInvocationRequest(value: unknown): value is InvocationRequest {
  return validate(value, "invocation-request", unlimited).length === 0;
}

export function isInvocationResponse(value: unknown): value is InvocationResponse {
  return validate(value, "invocation-response", unlimited).length === 0;
}

export function isErrorAnswer(value: unknown): value is ErrorAnswer {
  return violations(value, "error", undefined, unlimited).length === 0;
}

export function isCapabilityType(value: unknown): value is CapabilityType {
  return (capabilityTypes as readonly unknown[]).includes(value);
}

export function isAccess(value: unknown): value is Access {
  return (accessLevels as readonly unknown[]).includes(value);
}
