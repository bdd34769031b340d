import type { Violation } from "./generated/types.js";
import { ExactNumber, standIn } from "./number.js";
import { pointerTo } from "./pointer.js";
import { defaultMaxDepth, type Limits } from "./read.js";
import { show } from "./words.js";
import { jsonType, nameOf } from "./write.js";

const defaultMaxValues = 20_000;

/**
 * Copies a document for the schema's validator: with a plain number in the place of each
 * that JavaScript can't hold, and without members that are undefined. It finds what can't be
 * checked: values that are no JSON, and documents that exceed the limits.
 */
export class Plain {
  private readonly faults: Violation[] = [];
  private readonly maxDepth: number;
  private readonly maxValues: number;
  private values = 0;
  private objects = 0;
  private tooMany = false;

  constructor(limits: Limits) {
    this.maxDepth = limits.maxDepth ?? defaultMaxDepth;
    this.maxValues = limits.maxValues ?? defaultMaxValues;
  }

  of(document: unknown): { plain: unknown; faults: Violation[] } {
    return { plain: this.value(document, "", "", 1), faults: this.faults };
  }

  private value(value: unknown, at: string, holder: string, depth: number): unknown {
    const type = jsonType(value);
    this.count(type === "object", holder);
    switch (type) {
      case "array":
        return this.below(value, at, depth, () => Array.from(value as unknown[], (item, i) => this.value(item, pointerTo(at, i), at, depth + 1)));
      case "object":
        return this.below(value, at, depth, () => this.object(value as object, at, depth));
      case undefined:
        this.faults.push({ field: at, expected: "a JSON value", actual: nameOf(value) });
    }
    return value instanceof ExactNumber ? standIn(value) : value;
  }

  private object(object: object, at: string, depth: number): Record<string, unknown> {
    const members = Object.entries(object).filter(([, member]) => member !== undefined);
    for (const [name] of members) {
      if (!name.isWellFormed()) {
        this.faults.push({ field: at, expected: "names of whole characters", actual: "a name with half of a surrogate pair" });
      }
    }
    return Object.fromEntries(members.map(([name, member]) => [name, this.value(member, pointerTo(at, name), at, depth + 1)]));
  }

  /** Goes into an object or array, unless it nests too deep: it may even hold itself. */
  private below(value: unknown, at: string, depth: number, go: () => unknown): unknown {
    if (depth > this.maxDepth) {
      this.faults.push({ field: at, expected: `objects and arrays that nest at most ${this.maxDepth} deep`, actual: show(value) });
      return undefined;
    }
    return go();
  }

  /** Counts a value. The first of too many is a fault of what holds it. */
  private count(isObject: boolean, holder: string): void {
    const maxObjects = Math.floor(this.maxValues / 10);
    this.values++;
    this.objects += isObject ? 1 : 0;
    const few = this.values <= this.maxValues && this.objects <= maxObjects;
    if (few || this.tooMany) {
      return;
    }
    this.tooMany = true;
    const [most, what] = this.objects > maxObjects ? [maxObjects, "objects"] : [this.maxValues, "values"];
    this.faults.push({ field: holder, expected: `at most ${most} ${what} in the whole document`, actual: `more ${what}` });
  }
}
