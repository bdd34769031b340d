/**
 * What the schema says and types can't: the closed list of the reasons for which a document
 * may have the type and still break the schema. A reason is a keyword of the schema.
 */
export const differences: Record<string, string> = {
  pattern: "a string that matches a pattern",
  format: "a string that is a time which exists",
  minLength: "a least length of a string",
  maxLength: "a greatest length of a string",
  minItems: "a least number of items",
  maxItems: "a greatest number of items",
  maxProperties: "a greatest number of members",
  uniqueItems: "items that are all different",
  integer: "a number without a fraction",
  minimum: "a least number",
  exclusiveMinimum: "a number that another must exceed",
  maximum: "a greatest number",
  not: "a value that is ruled out",
};

/** What neither the schema nor types can say, and is checked beside them. */
export const rulesBeside: Record<string, string> = {
  "distinct names": "the names of a descriptor's parameters are distinct",
  "distinct ids": "the ids in an index are distinct",
  "type of the default": "a parameter's default is of the parameter's type",
  "type of the enum": "the values of a parameter's enum are of the parameter's type",
  "default of the enum": "a parameter's default is one of its enum",
};
