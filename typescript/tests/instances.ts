import { type Node, resolve } from "../generator/schema.js";
import { ExactNumber } from "../src/number.js";

/** A document to be judged, and what was done to make it. */
export interface Instance {
  definition: string;
  value: unknown;
  what: string;
}

type Put = (value: unknown, what: string) => void;

// What the protocol's strings and numbers look like, and what they don't look like.
const strings = [
  "com.example.a", "abc", "ab", "a", "", " ", "A", "1.0.0", "v1.0.0", "1.0", "2026-01-31 12:00:00Z", "https://example.com/{execution_id}", "https://example.com/",
  "javascript:alert(1)", "2026-01-31T12:00:00Z", "2026-02-30T12:00:00Z", "yesterday", "text/plain", "POST", "post", "#/$defs/a",
  "http://example.com/schema", "A_CODE", "/a/b", "a\u0007b", "index.json", "\u00a0",
];
const longStrings = ["a…", "1.0.0-a…", "1.0.1…", "https://example.com/{execution_id}a…", "text/plain…", "POST…", "2026-01-31T12:00:00.0…Z", "#a…"];
const numbers = [0, 1, 2, -1, 0.5, -0.5, 9007199254740991, 9007199254740992, 1e300];
const exactNumbers = ["12345678901234567890", "-12345678901234567890", "1e400", "0.1000000000000000000000000001", "-1e-400"].map((text) => new ExactNumber(text));
const anyValues = [null, true, false, 7, 0.5, "text", [], {}, [null], { a: 1 }, exactNumbers[0]];

/**
 * Makes instances at every node of a schema: valid ones, and ones with a single fault each:
 * each member left out, an unknown one added, each wrong type, values outside each enum, and
 * what breaks each of the rules that types can't say.
 */
export class Enumerator {
  private readonly seen = new Set<unknown>();

  constructor(private readonly schema: Node) {}

  /** The instances of one definition. Definitions below it are gone through where they are met first. */
  *of(definition: string): Generator<Instance> {
    const made: Instance[] = [];
    this.node({ $ref: `#/$defs/${definition}` }, definition, (value, what) => made.push({ definition, value, what }));
    yield* made;
  }

  /** put makes a whole document with a value at this node. */
  private node(node: Node | boolean, at: string, put: Put): void {
    const say: Put = (value, what) => put(value, `${at}: ${what}`);
    const parts = this.partsOf(node);
    const has = (type: string) => parts.some((part) => [part.type].flat().includes(type));
    anyValues.forEach((value) => say(value, "any value"));
    for (const value of parts.flatMap((part) => part.enum ?? [])) {
      say(value, "a value of the enum");
      say(value.toUpperCase(), "a value of the enum in capitals");
      say(`${value}s`, "a value that is not of the enum");
    }
    if (has("number") || has("integer")) {
      [...numbers, ...exactNumbers].forEach((value) => say(value, "a number"));
    }
    if (has("string")) {
      this.strings(parts, say);
    }
    // A definition is gone through once, and only looked at from outside where it is met again.
    const deep = typeof node === "boolean" || !node.$ref || this.first(node.$ref);
    if (has("array")) {
      this.array(parts, at, put, say, deep);
    }
    if (has("object")) {
      this.object(parts, at, put, say, deep);
    }
    for (const branch of parts.flatMap((part) => [part.then, part.else])) {
      if (branch && !branch.required) { // such a branch stands for one type
        this.node({ type: branch.items ? "array" : "string", ...branch }, at, put);
      }
    }
  }

  private strings(parts: Node[], say: Put): void {
    strings.forEach((value) => say(value, "a string"));
    const limit = Math.min(...parts.map((part) => Number(part.maxLength ?? Infinity)));
    // A limit needs its proof once for each place of the schema where it stands.
    if (parts.filter((part) => part.maxLength && this.first(part)).length > 0) {
      longStrings.forEach((value) => say(value.replace(/(.)…/, (_, last: string) => last.repeat(limit)), "a string that is too long"));
    }
  }

  private array(parts: Node[], at: string, put: Put, say: Put, deep: boolean): void {
    const items = parts.find((part) => part.items)?.items ?? true;
    const one = this.minimal(items);
    say([one], "one item");
    say([one, one], "the same item twice");
    const limit = Math.min(...parts.map((part) => Number(part.maxItems ?? Infinity)));
    if (limit < 10_000) {
      say(Array.from({ length: limit + 1 }, () => one), "too many items");
    }
    if (deep) {
      this.node(items, `${at}/0`, (value, what) => put([value], what));
    }
  }

  private object(parts: Node[], at: string, put: Put, say: Put, deep: boolean): void {
    const members = new Map(parts.flatMap((part) => Object.entries(part.properties ?? {})));
    const others = parts.find((part) => part.additionalProperties)?.additionalProperties ?? true;
    const minimal = this.minimalObject(parts);
    const full = { ...Object.fromEntries([...members].map(([name, member]) => [name, this.minimal(member)])), ...minimal };
    say(minimal, "required members only");
    say({ ...full, ["__proto__"]: this.minimal(others), x_unknown: this.minimal(others) }, "every member and unknown ones");
    const limit = Math.min(...parts.map((part) => Number(part.maxProperties ?? Infinity)));
    if (limit < 10_000) {
      say(Object.fromEntries(Array.from({ length: limit + 1 }, (_, i) => [`n${i}`, this.minimal(others)])), "too many members");
    }
    for (const [name, member] of members) {
      say(Object.fromEntries(Object.entries(full).filter(([other]) => other !== name)), `without ${name}`);
      if (deep) {
        this.node(member, `${at}/${name}`, (value, what) => put({ ...minimal, [name]: value }, what));
      }
    }
    if (deep) {
      this.node(others, `${at}/*`, (value, what) => put({ ...minimal, x_unknown: value }, what));
    }
  }

  private first(what: unknown): boolean {
    const first = !this.seen.has(what);
    this.seen.add(what);
    return first;
  }

  /** Every part of the schema that a value at a node is held against, whatever the value. */
  private partsOf(node: Node | boolean): Node[] {
    if (typeof node === "boolean") {
      return [];
    }
    return [node, ...(node.$ref ? [resolve(this.schema, node.$ref)] : []), ...(node.allOf ?? [])].flatMap((part) => (part === node ? [part] : this.partsOf(part)));
  }

  /** The smallest value that a node accepts. */
  minimal(node: Node | boolean): unknown {
    const parts = this.partsOf(node);
    const type = parts.flatMap((part) => part.type ?? [])[0];
    const values = parts.flatMap((part) => part.enum ?? []);
    switch (type) {
      case "string":
        return (values.length > 0 ? values : strings).find((text) => parts.every((part) => fits(text, part)));
      case "boolean":
        return true;
      case "number":
      case "integer":
        return 1;
      case "array":
        return parts.filter((part) => part.minItems).map((part) => this.minimal(part.items ?? true));
      case "object":
        return this.minimalObject(parts);
    }
    return "anything";
  }

  private minimalObject(parts: Node[]): Record<string, unknown> {
    const members = new Map(parts.flatMap((part) => Object.entries(part.properties ?? {})));
    return Object.fromEntries(parts.flatMap((part) => part.required ?? []).map((name) => [name, this.minimal(members.get(name) ?? true)]));
  }
}

function fits(text: string, part: Node): boolean {
  const { minLength = 0, maxLength = Infinity, pattern = "" } = part as { minLength?: number; maxLength?: number; pattern?: string };
  return text.length >= minLength && text.length <= maxLength && new RegExp(pattern, "u").test(text);
}
