import { validate } from "../src/index.js";
import { valueAt } from "../src/pointer.js";
import { jsonType } from "../src/write.js";
import { examples, wholeExample } from "./examples.js";
import { type Node, resolve } from "./schema.js";

/** An example that is made of many like one: a longer text, more items, more members. */
export class Repeated {
  constructor(
    readonly one: unknown,
    readonly times: number,
  ) {}

  value(): unknown {
    if (typeof this.one === "string") {
      return this.one.repeat(this.times);
    }
    if (Array.isArray(this.one)) {
      return Array.from({ length: this.times }, () => (this.one as unknown[])[0]);
    }
    const [[name, member] = ["", undefined]] = Object.entries(this.one as object);
    return Object.fromEntries(Array.from({ length: this.times }, (_, i) => [`${name}${i}`, member]));
  }
}

/** In the place of an example: nothing. */
export const leftOut = Symbol("left out");

/** One rule, and what it makes of two values at a place of the example. */
export interface Rule {
  at: string;
  /** What the rule asks for, in the words of a violation. */
  asks: string;
  accepted: unknown;
  refused: unknown;
}

/** A rule from its examples; throws when they are none. */
export function ruleOf(at: string, accepted: unknown, refused: unknown): Rule {
  const wrong = validate(wholeWith(at, accepted));
  const violations = validate(wholeWith(at, refused));
  const elsewhere = violations.filter(({ field }) => field !== at && !field.startsWith(`${at}/`));
  if (wrong.length > 0 || violations.length === 0 || elsewhere.length > 0) {
    throw new Error(`not an example of a rule at ${at}: ${JSON.stringify({ accepted, wrong, refused, violations })}`);
  }
  return { at, asks: refused === leftOut ? "required" : violations[0]!.expected, accepted, refused };
}

/** The example with a value at a place. Arrays and objects on the way there are made where they are missing. */
export function wholeWith(at: string, example: unknown): unknown {
  const whole: unknown = structuredClone(wholeExample);
  const steps = at.split("/").slice(1);
  const last = steps.pop()!;
  let holder = whole as Record<string, unknown>;
  for (const [i, step] of steps.entries()) {
    holder[step] ??= (steps[i + 1] ?? last) === "0" ? [] : {};
    holder = holder[step] as Record<string, unknown>;
  }
  if (example === leftOut) {
    delete holder[last];
  } else {
    holder[last] = example instanceof Repeated ? example.value() : example;
  }
  return whole;
}

/** Finds the rules of the schema's members. */
export class Rules {
  /** hasSection reports whether a definition's own members are told of elsewhere. */
  constructor(
    private readonly schema: Node,
    private readonly hasSection: (ref: string) => boolean,
  ) {}

  /** The rules of one member of an object. */
  ofMember(owner: Node, name: string, pointer: string, at: string): Rule[] {
    const member = owner.properties![name]!;
    if (typeof member === "boolean") {
      return [];
    }
    const required = [...(owner.required ?? []), ...(owner.then?.required ?? [])].includes(name);
    return [...(required ? [ruleOf(at, valueAt(wholeExample, at), leftOut)] : []), ...this.ofNode(member, pointer, at)];
  }

  private ofNode(node: Node, pointer: string, at: string): Rule[] {
    const rules = new Map<string, Rule>();
    const add = (rule: Rule) => rules.set(JSON.stringify([rule.at, rule.asks, rule.refused]), rule);
    const accepted = this.accepted(node, pointer, at);
    const parts = this.partsOf(node, pointer);
    for (const [where, part] of parts) {
      for (const refused of this.refused(where, part, accepted, parts)) {
        add(ruleOf(at, accepted, refused));
      }
      for (const [keyword, step] of [["items", "0"], ["additionalProperties", "a"]] as const) {
        const inner = part[keyword];
        if (inner && !(inner.$ref && this.hasSection(inner.$ref))) {
          this.ofNode(inner, `${where}/${keyword}`, `${at}/${step}`).forEach(add);
        }
      }
    }
    return [...rules.values()];
  }

  /** The parts of the schema that a value at a node is held against, with their places. */
  private partsOf(node: Node, pointer: string): [string, Node][] {
    const { $ref, allOf, then, else: otherwise, ...own } = node;
    const target = $ref && resolve(this.schema, $ref);
    const referred: [string, Node][] = !target ? [] : this.hasSection($ref) ? [[$ref, { type: target.type! }]] : this.partsOf(target, $ref);
    return [
      [pointer, own],
      ...referred,
      ...(allOf ?? []).flatMap((part, i) => this.partsOf(part, `${pointer}/allOf/${i}`)),
      ...(then && !then.required ? this.partsOf(then, `${pointer}/then`) : []),
      ...(otherwise ? this.partsOf(otherwise, `${pointer}/else`) : []),
    ];
  }

  private accepted(node: Node, pointer: string, at: string): unknown {
    const parts = this.partsOf(node, pointer);
    const [example] = parts.flatMap(([where]) => examples[where] ?? []);
    if (example) {
      return example.accepted;
    }
    const [type] = parts.flatMap(([, part]) => part.type ?? []);
    const plain: Record<string, unknown> = { string: "text", boolean: true, number: 1, integer: 1, array: [], object: {} };
    const few = parts.flatMap(([, part]) => (part.minItems ? [[part.items ? this.accepted(part.items, "", "/nowhere") : "text"]] : []));
    return valueAt(wholeExample, at) ?? parts.flatMap(([, part]) => part.enum ?? [])[0] ?? few[0] ?? plain[type ?? "string"];
  }

  /** Values that break one keyword each. */
  private *refused(where: string, part: Node, accepted: unknown, all: [string, Node][]): Generator<unknown> {
    const types = [part.type ?? []].flat();
    if (types.length > 0) {
      yield [7, "text", {}].find((value) => !types.includes(jsonType(value)!) && !(value === 7 && types.includes("integer")));
    }
    if (types.includes("integer")) yield 1.5;
    if (part.enum) yield part.enum[0]!.toUpperCase();
    const { minLength, maxLength, minItems, maxItems, maxProperties, minimum, maximum, exclusiveMinimum } = part as Record<string, number | undefined>;
    if (minLength) yield "a".repeat(minLength - 1);
    const least = Math.min(...all.map(([, { maxLength: limit = Infinity }]) => limit as number)); // the others follow
    if (maxLength === least) yield new Repeated("a", maxLength + 1);
    if (minItems) yield [];
    if (maxItems) yield new Repeated((accepted as unknown[]).slice(0, 1), maxItems + 1);
    if (maxProperties) yield new Repeated({ a: "" }, maxProperties + 1);
    if (minimum !== undefined) yield minimum - 1;
    if (maximum !== undefined) yield maximum + 1;
    if (exclusiveMinimum !== undefined) yield exclusiveMinimum;
    for (const keyword of ["pattern", "format", "not", "uniqueItems"]) {
      if (keyword in part) {
        yield this.example(where, keyword);
      }
    }
  }

  private example(where: string, keyword: string): unknown {
    const refused = examples[where]?.refused?.[keyword];
    if (refused === undefined) {
      throw new Error(`generator/examples.ts has no example of what ${where}/${keyword} refuses`);
    }
    return refused;
  }
}
