export * from "./generated/types.js";
export { schema } from "./generated/schema.js";
export { parse, serialize } from "./document.js";
export { ProtocolError } from "./error.js";
export { filterByCapability } from "./filter.js";
export {
  accessLevels,
  capabilityTypes,
  isAccess,
  isCapabilityType,
  isDescriptor,
  isErrorAnswer,
  isIndex,
  isInvocationRequest,
  isInvocationResponse,
} from "./guards.js";
export { type Documents, type Kind, kinds } from "./kinds.js";
export { ExactNumber } from "./number.js";
export { type Limits, readJSON } from "./read.js";
export { validate } from "./validate.js";
export { checkCompatibility, protocolVersion, supportedRange } from "./version.js";
export { writeJSON } from "./write.js";
export type { Attached, Key, KeyRequest, NewKey, Published, Report, Scope, Skill, Version, Warning } from "./answers.js";
export type { RegistryOptions } from "./connection.js";
export { SkillRegistry } from "./registry.js";
