import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import addFormats from "ajv-formats";
import { normalForm } from "./equal.js";
import { type Findings, Rank } from "./findings.js";
import { schema } from "./generated/schema.js";
import { pointerTo, valueAt } from "./pointer.js";
import { count, missing, phrase, show, showTyped, typeWords } from "./words.js";

/** The part of the schema that an error comes from. */
interface Part {
  description?: string;
  not?: Part;
  type?: string | string[];
  enum?: string[];
  properties?: Record<string, Part>;
  $ref?: string;
}

const validators = new Map<string, ValidateFunction>();

/** The validator of one of the schema's definitions, compiled when it is first needed. */
function validatorOf(definition: string): ValidateFunction {
  let validator = validators.get(definition);
  if (!validator) {
    validator = compile(definition);
    validators.set(definition, validator);
  }
  return validator;
}

function compile(definition: string): ValidateFunction {
  // verbose gives each error the part of the schema that it comes from. strictTypes would
  // ask for a type beside every keyword, and the schema says it once. The schema itself is
  // checked by the tests.
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strictTypes: false, validateSchema: false, passContext: true });
  addFormats.default(ajv, ["date-time"]);
  // Ajv's own uniqueItems compares only items of the type that is asked for.
  ajv.removeKeyword("uniqueItems").addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", validate: areDistinct });
  return ajv.addSchema(schema, "protocol").compile({ $ref: `protocol#/$defs/${definition}` });
}

/** Reports whether items are all different. It compares those of the document itself, with their digits. */
function areDistinct(this: { document: unknown }, unique: boolean, _: unknown, __?: unknown, at?: DataValidationCxt): boolean {
  const items = valueAt(this.document, at?.instancePath ?? "") as unknown[];
  return !unique || new Set(items.map(normalForm)).size === items.length;
}

/**
 * Adds every violation of the schema by document. plain is the document as the validator
 * can take it: with a plain number in the place of each that JavaScript can't hold.
 */
export function checkSchema(definition: string, document: unknown, plain: unknown, found: Findings): void {
  const validator = validatorOf(definition);
  if (validator.call({ document }, plain)) {
    return;
  }
  for (const error of validator.errors ?? []) {
    add(error, valueAt(document, error.instancePath), found);
  }
}

function add(error: ErrorObject, value: unknown, found: Findings): void {
  const { keyword, instancePath: at, params } = error;
  const own = error.parentSchema as Part;
  const limit = Number(params.limit);
  switch (keyword) {
    case "if": // what then and else say is reported by itself
      return;
    case "required":
      return found.add(Rank.Required, pointerTo(at, String(params.missingProperty)), whatBelongs(own, String(params.missingProperty)), missing);
    case "type":
      return found.add(Rank.Type, at, typeWords(params.type as string | string[]), showTyped(value));
    case "enum":
      return found.add(Rank.Enum, at, oneOf(params.allowedValues as string[]), show(value));
    case "maxLength":
      return found.add(Rank.Size, at, `at most ${count(limit, "character")}`, count([...String(value)].length, "character"));
    case "minLength":
      return found.add(Rank.Size, at, `at least ${count(limit, "character")}`, show(value));
    case "maxItems":
      return found.add(Rank.Size, at, `at most ${count(limit, "item")}`, show(value));
    case "minItems":
      return found.add(Rank.Size, at, `at least ${count(limit, "item")}`, show(value));
    case "maxProperties":
      return found.add(Rank.Size, at, `at most ${count(limit, "member")}`, show(value));
    case "minimum":
      return found.add(Rank.Size, at, `at least ${limit}`, show(value));
    case "maximum":
      return found.add(Rank.Size, at, `at most ${limit}`, show(value));
    case "exclusiveMinimum":
      return found.add(Rank.Size, at, `more than ${limit}`, show(value));
    case "uniqueItems":
      return found.add(Rank.Size, at, "items that are all different", show(value));
    case "not":
      return found.add(Rank.Form, at, own.not?.description ? phrase(own.not.description) : "another value", show(value));
    case "pattern":
    case "format":
      return found.add(Rank.Form, at, own.description ? phrase(own.description) : "another form of text", show(value));
  }
  found.add(Rank.Other, at, error.message ?? keyword, show(value)); // no keyword of our schema, but never silent
}

function oneOf(values: string[]): string {
  return `one of: ${values.join(", ")}`;
}

/** Says what belongs where a required member is missing. */
function whatBelongs(object: Part, member: string): string {
  let part = object.properties?.[member];
  if (part?.$ref) {
    part = valueAt(schema, part.$ref.slice(1)) as Part;
  }
  if (part?.enum) {
    return oneOf(part.enum);
  }
  if (part?.type) {
    return typeWords(part.type);
  }
  return object.description ? phrase(object.description) : "a member that is required";
}
