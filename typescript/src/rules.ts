import { type Findings, Rank } from "./findings.js";
import type { Kind } from "./kinds.js";
import { ExactNumber, isInteger, sameNumber } from "./number.js";
import { count, show, showTyped, typeWords } from "./words.js";
import { jsonType } from "./write.js";

type Members = Record<string, unknown>;

/** Adds the violations of the rules that the schema can't say. */
export function checkRules(kind: Kind, document: Members, found: Findings): void {
  if (kind === "descriptor") {
    checkDistinct(document.inputs, "name", "/inputs", found);
    for (const [i, parameter] of objectsOf(document.inputs)) {
      checkValues(parameter, `/inputs/${i}`, found);
    }
  }
  if (kind === "index") {
    checkDistinct(document.skills, "id", "/skills", found);
  }
}

/** The objects in list, with their indexes: what else is in it is the schema's to refuse. */
function objectsOf(list: unknown): [number, Members][] {
  return Array.isArray(list) ? [...list.entries()].filter((entry): entry is [number, Members] => jsonType(entry[1]) === "object") : [];
}

function checkDistinct(list: unknown, member: string, at: string, found: Findings): void {
  const first = new Map<string, number>();
  for (const [i, object] of objectsOf(list)) {
    const value = object[member];
    if (typeof value !== "string") {
      continue;
    }
    const before = first.get(value);
    if (before === undefined) {
      first.set(value, i);
    } else {
      found.add(Rank.Rule, `${at}/${i}/${member}`, `another ${member} than ${at}/${before} has`, show(value));
    }
  }
}

/** A parameter's default and the values of its enum have its type; the default is one of the enum. */
function checkValues(parameter: Members, at: string, found: Findings): void {
  const { type, enum: values, default: fallback } = parameter;
  const list: unknown[] | undefined = Array.isArray(values) ? values : undefined;
  const wrongType = (value: unknown, field: string) => {
    const wrong = ofType(value, type) === false;
    if (wrong) {
      found.add(Rank.Rule, field, `${typeWords(String(type))}, the parameter's type`, showTyped(value));
    }
    return wrong;
  };
  list?.forEach((value, i) => wrongType(value, `${at}/enum/${i}`));
  if (fallback === undefined || wrongType(fallback, `${at}/default`)) {
    return;
  }
  if (list && !list.some((value) => sameValue(value, fallback))) {
    found.add(Rank.Rule, `${at}/default`, `one of the ${count(list.length, "value")} in enum`, show(fallback));
  }
}

/** Reports whether a value is of a parameter's type; undefined when there is no such type. */
function ofType(value: unknown, type: unknown): boolean | undefined {
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

/** Reports whether two JSON values are the same. */
function sameValue(a: unknown, b: unknown): boolean {
  const type = jsonType(a);
  if (type !== jsonType(b)) {
    return false;
  }
  switch (type) {
    case "number":
      return sameNumber(a as number | ExactNumber, b as number | ExactNumber);
    case "array": {
      const [m, n] = [a as unknown[], b as unknown[]];
      return m.length === n.length && m.every((item, i) => sameValue(item, n[i]));
    }
    case "object": {
      const [m, n] = [a as Members, b as Members];
      const names = Object.keys(m);
      return names.length === Object.keys(n).length && names.every((name) => Object.hasOwn(n, name) && sameValue(m[name], n[name]));
    }
  }
  return a === b;
}
