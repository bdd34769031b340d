import { normalForm } from "./equal.js";
import { type Findings, Rank } from "./findings.js";
import type { Kind } from "./kinds.js";
import { type ExactNumber, isInteger } from "./number.js";
import { show, showTyped, typeWords } from "./words.js";
import { jsonType } from "./write.js";

type Members = Record<string, unknown>;

/** Adds the violations of the rules that the schema can't say. */
export function checkRules(kind: Kind, document: Members, found: Findings): void {
  if (kind === "descriptor") {
    checkDistinct(document.inputs, "name", "/inputs", "a name that no other parameter has", found);
    for (const [i, parameter] of objectsOf(document.inputs)) {
      checkParameter(parameter, `/inputs/${i}`, found);
    }
  }
  if (kind === "index") {
    checkDistinct(document.skills, "id", "/skills", "an id that no other entry has", found);
  }
}

/** The objects in list, with their indexes: what else is in it is the schema's to refuse. */
function objectsOf(list: unknown): [number, Members][] {
  return Array.isArray(list) ? [...list.entries()].filter((entry): entry is [number, Members] => jsonType(entry[1]) === "object") : [];
}

/** The items of a list differ in a member that is text. The first of several that are the same is no fault. */
function checkDistinct(list: unknown, member: string, at: string, expected: string, found: Findings): void {
  const seen = new Set<unknown>();
  for (const [i, { [member]: value }] of objectsOf(list)) {
    if (typeof value === "string" && seen.has(value)) {
      found.add(Rank.Rule, `${at}/${i}/${member}`, expected, show(value));
    }
    seen.add(value);
  }
}

/** The values of a parameter definition are of its type, and its default is one of its enum. */
function checkParameter(parameter: Members, at: string, found: Findings): void {
  const { type, enum: values, default: fallback } = parameter;
  const wrongType = (value: unknown, field: string) => {
    const wrong = isOfType(value, type) === false;
    if (wrong) {
      found.add(Rank.Type, field, `${typeWords(String(type))}, because that is the parameter's type`, showTyped(value));
    }
    return wrong;
  };
  const list: unknown[] = Array.isArray(values) ? values : [];
  const wrong = list.filter((value, i) => wrongType(value, `${at}/enum/${i}`));
  if (fallback === undefined || wrongType(fallback, `${at}/default`) || isOfType(fallback, type) === undefined) {
    return;
  }
  // Where the enum has wrong values, what the default may be is not said.
  if (list.length > 0 && wrong.length === 0 && !list.some((value) => normalForm(value) === normalForm(fallback))) {
    found.add(Rank.Rule, `${at}/default`, "one of the values in the parameter's enum", show(fallback));
  }
}

/** Reports whether a value is of a parameter's type; undefined when there is no such type. */
function isOfType(value: unknown, type: unknown): boolean | undefined {
  switch (type) {
    case "integer":
      return jsonType(value) === "number" && isInteger(value as number | ExactNumber);
    case "string":
    case "number":
    case "boolean":
    case "object":
    case "array":
      return jsonType(value) === type;
  }
  return undefined;
}
