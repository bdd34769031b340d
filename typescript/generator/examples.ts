/**
 * Examples for the rules that none can be made up for: what is accepted at a part of the
 * schema, and what is refused there by each of its keywords.
 */
export interface Examples {
  accepted: unknown;
  refused?: Record<string, unknown>;
}

const url = "https://example.com/translate";
const parameter = { name: "language", type: "string" };

export const examples: Record<string, Examples> = {
  "#/$defs/id": { accepted: "com.example.translate-v1", refused: { pattern: "Com.Example..Translate", not: "index.json" } },
  "#/$defs/line": { accepted: "Übersetzer 1", refused: { pattern: "two\nlines" } },
  "#/$defs/text": { accepted: "Translates text.\nKnows 30 languages.", refused: { pattern: " \n" } },
  "#/$defs/note": { accepted: "", refused: { pattern: "a bell \u0007" } },
  "#/$defs/semanticVersion": { accepted: "2.1.0-rc.1+build.5", refused: { pattern: "v2.1" } },
  "#/$defs/protocolVersionNumber": { accepted: "1.4.0", refused: { pattern: "1.0" } },
  "#/$defs/url": { accepted: url, refused: { pattern: "javascript:alert(1)" } },
  "#/$defs/executionUrl": { accepted: `${url}/{execution_id}` },
  "#/$defs/executionUrl/allOf/1": { accepted: `${url}/{execution_id}`, refused: { pattern: url } },
  "#/$defs/dateTime": { accepted: "2026-01-31T12:00:00Z", refused: { pattern: "2026-01-31", format: "2026-02-30T12:00:00Z" } },
  "#/$defs/mediaType": { accepted: "text/plain; charset=utf-8", refused: { pattern: "text" } },
  "#/$defs/endpoint/properties/method": { accepted: "PUT", refused: { pattern: "put" } },
  "#/$defs/auth/properties/header": { accepted: "X-API-Key", refused: { pattern: "X API Key" } },
  "#/$defs/parameter/properties/enum": { accepted: ["de", "en"] },
  "#/$defs/jsonSchema/$defs/localReference": { accepted: "#/$defs/item", refused: { pattern: "https://example.com/schema.json" } },
  "#/$defs/jsonSchema/$defs/anchor": { accepted: "item", refused: { pattern: "1st item" } },
  "#/$defs/jsonSchema/$defs/nameList": { accepted: ["a", "b"], refused: { uniqueItems: ["a", "a"] } },
  "#/$defs/jsonSchema/properties/type": { accepted: ["string", "null"] },
  "#/$defs/jsonSchema/properties/type/else": { accepted: ["string", "null"], refused: { uniqueItems: ["string", "string"] } },
};

/** An example of a rule that stands beside the schema: where it is put, and what the rule asks for there. */
export interface RuleExample {
  at: string;
  accepted: unknown;
  refused: unknown;
}

export const ruleExamples: RuleExample[] = [
  { at: "/inputs", accepted: [parameter, { ...parameter, name: "text" }], refused: [parameter, parameter] },
  { at: "/inputs/0", accepted: { ...parameter, default: "en" }, refused: { ...parameter, default: 5 } },
  { at: "/inputs/0", accepted: { ...parameter, enum: ["de", "en"] }, refused: { ...parameter, enum: ["de", 5] } },
  { at: "/inputs/0", accepted: { ...parameter, enum: ["de", "en"], default: "en" }, refused: { ...parameter, enum: ["de", "en"], default: "fr" } },
];

/** The descriptor that every example is put into. */
export const wholeExample = {
  protocol: { version: "1.0.0" },
  id: "com.example.translate-v1",
  name: "Universal Translator",
  version: "2.1.0",
  capability_type: "api",
  description: "Translates text between languages.",
  provider: { name: "Example Corp", url: "https://example.com" },
  endpoint: { url },
  inputs: [{ name: "text", type: "string", description: "What to translate.", required: true, schema: { minLength: 1 } }],
  output: { type: "string" },
  auth: {
    type: "oauth2",
    oauth2: { authorization_url: "https://example.com/authorize", token_url: "https://example.com/token", scopes: { translate: "Translate text." } },
  },
  access: "restricted",
  tags: ["language"],
};
