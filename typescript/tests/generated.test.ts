import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { generated } from "../generator/generated.js";
import { root, schema } from "./schema.js";

test.each(Object.keys(generated(root)))("%s is what the schema generates", (file) => {
  expect(readFileSync(`${root}/${file}`, "utf8"), `run "npm run generate"`).toBe(generated(root)[file]);
});

test("the schema is valid by its own meta-schema", () => {
  const ajv = new Ajv2020({ strictTypes: false });
  addFormats.default(ajv);
  expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
});
