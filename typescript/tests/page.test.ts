import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Repeated, leftOut, wholeWith } from "../generator/rules.js";
import { wholeExample } from "../generator/examples.js";
import { validate } from "../src/index.js";
import { root } from "./schema.js";

const page = readFileSync(`${root}/docs/descriptor.md`, "utf8");

/** The rows of the tables of examples: where, rule, accepted, refused. */
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| `/") && line.split(/(?<!\\)\|/).length === 6)
  .map((line) => line.split(/(?<!\\)\|/).slice(1, 5).map((cell) => cell.trim().replaceAll("\\|", "|")) as [string, string, string, string]);

/** Reads an example as the page shows it. */
function read(cell: string): unknown {
  const [, json = "", times] = /^`(.*)`(?: × ([0-9]+))?$/.exec(cell) ?? [];
  if (cell === "left out") {
    return leftOut;
  }
  return times === undefined ? (JSON.parse(json) as unknown) : new Repeated(JSON.parse(json), Number(times)).value();
}

describe("docs/descriptor.md", () => {
  test("shows a valid descriptor", () => {
    const [, json = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
    expect(JSON.parse(json)).toEqual(wholeExample);
    expect(validate(wholeExample)).toEqual([]);
  });

  test("has examples", () => {
    expect(rows.length).toBeGreaterThan(150);
  });

  test.each(rows)("%s: %s: %s is accepted, %s is refused", (where, rule, accepted, refused) => {
    const at = where.slice(1, -1);
    expect(validate(wholeWith(at, read(accepted)))).toEqual([]);
    const violations = validate(wholeWith(at, read(refused)));
    expect(violations.filter(({ field }) => field === at || field.startsWith(`${at}/`))).toEqual(violations);
    expect(violations).not.toEqual([]);
    expect(rule === "required" ? violations[0]!.actual : violations[0]!.expected).toBe(rule === "required" ? "nothing" : rule);
  });
});
