import type { Violation } from "./generated/types.js";
import { stepsOf } from "./pointer.js";

/**
 * The order of the faults of one member. Only the first of them is reported, because the
 * others follow from it or would be met one after the other anyway.
 */
export enum Rank {
  Type,
  Enum,
  Size,
  Form,
  /** What the schema can't say. */
  Rule,
  Other,
  Required,
}

/** Gathers the violations of one document, one for each member. */
export class Findings {
  private readonly byField = new Map<string, { rank: Rank; violation: Violation }>();

  add(rank: Rank, field: string, expected: string, actual: string): void {
    const have = this.byField.get(field);
    if (!have || have.rank > rank) {
      this.byField.set(field, { rank, violation: { field, expected, actual } });
    }
  }

  get size(): number {
    return this.byField.size;
  }

  /** What was found, by pointer; items in the order of their indexes. */
  violations(): Violation[] {
    const all = [...this.byField.values()].map(({ violation }) => ({ violation, steps: stepsOf(violation.field) }));
    return all.sort((a, b) => compareSteps(a.steps, b.steps)).map(({ violation }) => violation);
  }
}

function compareSteps(a: string[], b: string[]): number {
  for (const [i, step] of a.entries()) {
    const other = b[i];
    if (other === undefined) {
      return 1;
    }
    if (step !== other) {
      const [m, n] = [indexOf(step), indexOf(other)];
      return m - n || (step < other ? -1 : 1);
    }
  }
  return a.length - b.length;
}

/** Indexes stand in their order, before names. */
function indexOf(step: string): number {
  return /^[0-9]{1,9}$/.test(step) ? Number(step) : Number.MAX_VALUE;
}
