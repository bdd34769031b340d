// Generated from internal/protocol/schema.json by "npm run generate": changes belong there.
// Members that this version of the protocol does not name are accepted and kept: [member: string].

import type { ExactNumber } from "../number.js";

/** Skill Descriptor. What a skill is and how it is invoked. */
export interface Descriptor {
  /** The protocol version that this document is written in. */
  protocol: ProtocolVersion;
  /**
   * The identity of the skill, unique in a registry. Lower-case letters and digits, with single
   * '.', '_' or '-' between them, such as com.example.translate-v1.
   */
  id: string;
  /**
   * The name of the skill, for people. One line of text that shows something, without control
   * characters.
   */
  name: string;
  /** The skill's own version. A version by SemVer 2.0.0, such as 2.1.0 or 1.0.0-rc.1. */
  version: string;
  /** What kind of thing the skill is. */
  capability_type: CapabilityType;
  /**
   * What the skill does, for people and for agents that choose between skills. Text that shows
   * something, without control characters other than tabs and line breaks.
   */
  description: string;
  /** Who offers the skill. */
  provider: Provider;
  /** Where and how the skill is invoked. */
  endpoint: Endpoint;
  /** The parameters of an invocation, with distinct names; empty when there are none. */
  inputs: Parameter[];
  /** What an invocation gives back. */
  output: Output;
  /** How a caller authenticates to the endpoint. */
  auth: Auth;
  /** Who may discover and invoke the skill. */
  access: Access;
  /** Words to find the skill by. */
  tags?: string[];
  /**
   * Where people read about the skill. An absolute http or https URL in ASCII, such as
   * https://example.com/invoke.
   */
  documentation_url?: string;
  /** When the skill was made. A time by RFC 3339, such as 2026-01-31T12:00:00Z. */
  created_at?: string;
  /** When the skill was last changed. A time by RFC 3339, such as 2026-01-31T12:00:00Z. */
  updated_at?: string;
  [member: string]: unknown;
}

/** Protocol Version. The version of the protocol that a document is written in. */
export interface ProtocolVersion {
  /**
   * The protocol version. Documents of one MAJOR can be read by everyone who reads that MAJOR. A
   * protocol version MAJOR.MINOR.PATCH of plain integers, such as 1.0.0.
   */
  version: string;
  /**
   * Where the changes between protocol versions are told. An absolute http or https URL in ASCII,
   * such as https://example.com/invoke.
   */
  changelog_url?: string;
  [member: string]: unknown;
}

/** Provider. Who offers a skill or an index. */
export interface Provider {
  /**
   * The provider's name, for people. One line of text that shows something, without control
   * characters.
   */
  name: string;
  /**
   * The provider's own page. An absolute http or https URL in ASCII, such as
   * https://example.com/invoke.
   */
  url?: string;
  [member: string]: unknown;
}

/** Invocation Endpoint. Where and how a skill is invoked. */
export interface Endpoint {
  /**
   * The address that an invocation is sent to. An absolute http or https URL in ASCII, such as
   * https://example.com/invoke.
   */
  url: string;
  /** An HTTP method in capital letters, such as POST. Default: "POST". */
  method?: string;
  /**
   * The media type of the invocation's body. A media type, such as application/json. Default:
   * "application/json".
   */
  content_type?: string;
  /** Where the state of an invocation is read. */
  status_url?: string;
  /** Where the result of an invocation is read. */
  result_url?: string;
  [member: string]: unknown;
}

/** Parameter Definition. One parameter of an invocation. */
export interface Parameter {
  /**
   * The name of the parameter, distinct within a descriptor. One line of text that shows
   * something, without control characters.
   */
  name: string;
  /** The type of the parameter's value. */
  type: ValueType;
  /** What the parameter means. Text without control characters other than tabs and line breaks. */
  description?: string;
  /** Whether an invocation must give the parameter. Default: false. */
  required?: boolean;
  /**
   * The value that is taken when the parameter is not given: of the parameter's type and, where
   * there is an enum, one of it.
   */
  default?: unknown;
  /** The values that the parameter may have, each of the parameter's type. */
  enum?: unknown[];
  /** A JSON Schema for the value. */
  schema?: JsonSchema;
  [member: string]: unknown;
}

/** Output Definition. What an invocation gives back. */
export interface Output {
  /** The type of the output. */
  type: ValueType;
  /** What the output means. Text without control characters other than tabs and line breaks. */
  description?: string;
  /** The media type of the output. A media type, such as application/json. */
  content_type?: string;
  /** A JSON Schema for the output. */
  schema?: JsonSchema;
  [member: string]: unknown;
}

/** Auth Config. How a caller authenticates to a skill's endpoint. */
export type Auth = {
  /** The kind of authentication. */
  type: "oauth2";
  /**
   * How to get and use credentials, for people. Text without control characters other than tabs
   * and line breaks.
   */
  description?: string;
  /** The name of an HTTP header field, such as X-API-Key. Default: "X-API-Key". */
  header?: string;
  /** The OAuth 2.0 addresses and scopes; required where type is oauth2. */
  oauth2: OAuth2;
  [member: string]: unknown;
} | {
  /** The kind of authentication. */
  type: "api_key" | "custom" | "none";
  /**
   * How to get and use credentials, for people. Text without control characters other than tabs
   * and line breaks.
   */
  description?: string;
  /** The name of an HTTP header field, such as X-API-Key. Default: "X-API-Key". */
  header?: string;
  /** The OAuth 2.0 addresses and scopes; required where type is oauth2. */
  oauth2?: OAuth2;
  [member: string]: unknown;
};

/** OAuth2 Config. The addresses and scopes of an OAuth 2.0 authentication. */
export interface OAuth2 {
  /**
   * Where a user grants access. An absolute http or https URL in ASCII, such as
   * https://example.com/invoke.
   */
  authorization_url: string;
  /**
   * Where a client gets its token. An absolute http or https URL in ASCII, such as
   * https://example.com/invoke.
   */
  token_url: string;
  /** What each scope allows, by the name of the scope. */
  scopes: Record<string, string>;
  [member: string]: unknown;
}

/** Skill Index. The answer at the well-known address of a registry. */
export interface Index {
  /** The protocol version that this index is written in. */
  protocol: ProtocolVersion;
  /** Who runs the registry. */
  provider: Provider;
  /** The skills, with distinct ids. */
  skills: IndexEntry[];
  [member: string]: unknown;
}

/** Index Entry. What an index says of one skill. */
export interface IndexEntry {
  /**
   * The identity of the skill. Lower-case letters and digits, with single '.', '_' or '-' between
   * them, such as com.example.translate-v1.
   */
  id: string;
  /**
   * The name of the skill, for people. One line of text that shows something, without control
   * characters.
   */
  name: string;
  /** What kind of thing the skill is. */
  capability_type: CapabilityType;
  /**
   * What the skill does. Text that shows something, without control characters other than tabs and
   * line breaks.
   */
  description: string;
  /**
   * Where the descriptor of this version is. An absolute http or https URL in ASCII, such as
   * https://example.com/invoke.
   */
  descriptor_url: string;
  /** Who may discover and invoke the skill. */
  access: Access;
  /**
   * The version of the skill that this entry is about. A version by SemVer 2.0.0, such as 2.1.0 or
   * 1.0.0-rc.1.
   */
  version: string;
  [member: string]: unknown;
}

/** Invocation Request. What is sent to the endpoint of a skill. */
export interface InvocationRequest {
  /** Who invokes the skill. */
  caller: Caller;
  /**
   * The id of the skill that is invoked. Lower-case letters and digits, with single '.', '_' or
   * '-' between them, such as com.example.translate-v1.
   */
  skill_id: string;
  /** The values of the skill's parameters, by name. */
  inputs: Record<string, unknown>;
  /** How the invocation is to be carried out. */
  context?: InvocationContext;
  [member: string]: unknown;
}

/** Caller. Who invokes a skill. */
export interface Caller {
  /** The identity of the caller. One line of text that shows something, without control characters. */
  id: string;
  /** What the caller is. */
  type: "ifay" | "service" | "user";
  /** What the skill's auth asks for: any JSON value. */
  credentials?: unknown;
  [member: string]: unknown;
}

/** Invocation Context. How an invocation is to be carried out. */
export interface InvocationContext {
  /**
   * Joins the records of one undertaking across services. One line of text that shows something,
   * without control characters.
   */
  trace_id?: string;
  /** How urgent the invocation is, in the terms of the endpoint. */
  priority?: string | number | ExactNumber;
  /** After how many milliseconds the caller no longer waits. */
  timeout_ms?: number;
  [member: string]: unknown;
}

/** Invocation Response. What the endpoint of a skill says of one invocation. */
export interface InvocationResponse {
  /**
   * The identity of the invocation; it takes the place of {execution_id} in the templates of the
   * endpoint. One line of text that shows something, without control characters.
   */
  execution_id: string;
  /** Where the invocation stands. */
  status: "accepted" | "running" | "completed" | "failed" | "cancelled" | "timeout";
  /**
   * The id of the skill that was invoked. Lower-case letters and digits, with single '.', '_' or
   * '-' between them, such as com.example.translate-v1.
   */
  skill_id: string;
  /** When the invocation went from one state to the next. */
  timestamps: Timestamps;
  /** What the skill gives back: any JSON value. */
  output?: unknown;
  /** Why the invocation failed. */
  error?: ErrorDetail;
  [member: string]: unknown;
}

/** Timestamps. When an invocation went from one state to the next. */
export interface Timestamps {
  /** When it was accepted. A time by RFC 3339, such as 2026-01-31T12:00:00Z. */
  accepted_at: string;
  /** When it began to run. A time by RFC 3339, such as 2026-01-31T12:00:00Z. */
  started_at?: string;
  /** When it ended, well or not. A time by RFC 3339, such as 2026-01-31T12:00:00Z. */
  completed_at?: string;
  [member: string]: unknown;
}

/** Error. The one form of every error answer. */
export interface ErrorAnswer {
  /** What went wrong. */
  error: ErrorDetail;
  [member: string]: unknown;
}

/** Error Detail. What went wrong. */
export interface ErrorDetail {
  /** A code in capital letters, digits and underscores, such as VALIDATION_ERROR. */
  code: string;
  /**
   * What went wrong, for people. Text that shows something, without control characters other than
   * tabs and line breaks.
   */
  message: string;
  /** More about this kind of error. */
  details?: {
    /** Every rule that a document breaks, where the code is VALIDATION_ERROR. */
    violations?: Violation[];
    /** The document's protocol version, where the code is VERSION_INCOMPATIBLE. */
    descriptor_version?: string;
    /**
     * The protocol versions that can be read, such as 1.x.x, where the code is
     * VERSION_INCOMPATIBLE.
     */
    consumer_supported_range?: string;
    [member: string]: unknown;
  };
  /** When the same request is worth another try. */
  retry?: Retry;
  [member: string]: unknown;
}

/** Violation. One rule that a document breaks. */
export interface Violation {
  /** A JSON Pointer to the member that is wrong; for a missing member, to where it belongs. */
  field: string;
  /** What the rule asks for, in words. */
  expected: string;
  /** What was there, in words. */
  actual: string;
  [member: string]: unknown;
}

/** Retry. When the same request is worth another try. */
export interface Retry {
  /** How many milliseconds to wait before the next try. */
  suggested_delay_ms: number;
  /** How many tries are worth it. */
  max_attempts: number;
  [member: string]: unknown;
}

/** Capability Type. What kind of thing a skill is. */
export type CapabilityType = "plugin" | "api" | "knowledge" | "task";

/** Access. Who may discover and invoke a skill. */
export type Access = "public" | "restricted" | "private";

/** Value Type. The type of a parameter or an output. */
export type ValueType = "string" | "number" | "integer" | "boolean" | "object" | "array";

/**
 * JSON Schema. A JSON Schema (Draft 2020-12), checked as far as its keywords have the values that
 * the draft gives them. References stay within the schema itself; nothing is ever fetched.
 * Keywords that the draft does not name are kept.
 */
export type JsonSchema = {
  $schema?: string;
  $id?: string;
  /** A reference within the schema itself, such as #/$defs/item. */
  $ref?: string;
  /** A reference within the schema itself, such as #/$defs/item. */
  $dynamicRef?: string;
  /** A name of letters, digits, '.', '_' and '-' that starts with a letter or '_'. */
  $anchor?: string;
  /** A name of letters, digits, '.', '_' and '-' that starts with a letter or '_'. */
  $dynamicAnchor?: string;
  $vocabulary?: Record<string, boolean>;
  $comment?: string;
  /** Schemas by name. */
  $defs?: Record<string, JsonSchema>;
  /** Schemas by name. */
  definitions?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  default?: unknown;
  deprecated?: boolean;
  readOnly?: boolean;
  writeOnly?: boolean;
  examples?: unknown[];
  /** The name of a type, or a list of distinct names. */
  type?: "null" | "boolean" | "object" | "array" | "number" | "string" | "integer" | ("null" | "boolean" | "object" | "array" | "number" | "string" | "integer")[];
  enum?: unknown[];
  const?: unknown;
  multipleOf?: number | ExactNumber;
  maximum?: number | ExactNumber;
  exclusiveMaximum?: number | ExactNumber;
  minimum?: number | ExactNumber;
  exclusiveMinimum?: number | ExactNumber;
  /** A whole number, zero or more. */
  maxLength?: number | ExactNumber;
  /** A whole number, zero or more. */
  minLength?: number | ExactNumber;
  pattern?: string;
  format?: string;
  contentEncoding?: string;
  contentMediaType?: string;
  contentSchema?: JsonSchema;
  /** One schema or more. */
  prefixItems?: JsonSchema[];
  items?: JsonSchema;
  contains?: JsonSchema;
  /** A whole number, zero or more. */
  maxItems?: number | ExactNumber;
  /** A whole number, zero or more. */
  minItems?: number | ExactNumber;
  uniqueItems?: boolean;
  /** A whole number, zero or more. */
  maxContains?: number | ExactNumber;
  /** A whole number, zero or more. */
  minContains?: number | ExactNumber;
  unevaluatedItems?: JsonSchema;
  /** Schemas by name. */
  properties?: Record<string, JsonSchema>;
  /** Schemas by name. */
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema;
  propertyNames?: JsonSchema;
  /** A whole number, zero or more. */
  maxProperties?: number | ExactNumber;
  /** A whole number, zero or more. */
  minProperties?: number | ExactNumber;
  /** Distinct names of members. */
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  /** Schemas by name. */
  dependentSchemas?: Record<string, JsonSchema>;
  unevaluatedProperties?: JsonSchema;
  /** One schema or more. */
  allOf?: JsonSchema[];
  /** One schema or more. */
  anyOf?: JsonSchema[];
  /** One schema or more. */
  oneOf?: JsonSchema[];
  not?: JsonSchema;
  if?: JsonSchema;
  then?: JsonSchema;
  else?: JsonSchema;
  [member: string]: unknown;
} | boolean;
