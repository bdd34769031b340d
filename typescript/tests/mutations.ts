import fc from "fast-check";
import { number, value } from "./arbitraries.js";

const replacement = fc.oneof(
  value(1),
  number,
  fc.constantFrom<unknown>(
    "", " ", "1.0", "v1.0.0", "2.0.0", "API", "oauth2", "index.json", "https://", "javascript:alert(1)", "2026-02-30T00:00:00Z", "2026-06-30T23:59:60Z",
    "a\nb", "\u2028", "\u00a0\u3000", "text/plain;", "http://example.com/schema", "integer", ["null", "null"], [], {}, null,
  ),
);

/** Documents with one to three faults: members left out, replaced, or said twice. Some of them are valid all the same. */
export function spoilt(document: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const faults = fc.array(fc.tuple(fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }), fc.nat(3), replacement), { minLength: 1, maxLength: 3 });
  return fc.tuple(document, faults).map(([whole, all]) => all.reduce((tree, [path, what, by]) => spoil(tree, path, what, by), whole));
}

/** path chooses a member at each level on the way down. */
function spoil(tree: unknown, [choice = 0, ...path]: number[], what: number, by: unknown): unknown {
  const members = typeof tree === "object" && tree !== null && !("text" in tree && "toNumber" in tree) ? Object.entries(tree) : [];
  const [name, member] = members[choice % Math.max(1, members.length)] ?? [];
  if (name === undefined) {
    return by;
  }
  const inner = path.length > 0 ? spoil(member, path, what, by) : by;
  if (Array.isArray(tree)) {
    const items = tree as unknown[];
    return path.length === 0 && what === 0 ? [...items, member] : items.map((item, i) => (String(i) === name ? inner : item));
  }
  const rest = members.filter(([other]) => other !== name);
  return Object.fromEntries(path.length === 0 && what === 0 ? rest : [...rest, [name, inner]]);
}
