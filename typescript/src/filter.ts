import type { CapabilityType, Index } from "./generated/types.js";

/** Returns the index with exactly those entries that are of one of the types, in their order. */
export function filterByCapability(index: Index, ...types: CapabilityType[]): Index {
  return { ...index, skills: index.skills.filter((entry) => types.includes(entry.capability_type)) };
}
