import { readFileSync } from "node:fs";

/** A part of the schema, with the keywords that the schema of the protocol uses. */
export interface Node {
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: string[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, Node | boolean>;
  required?: string[];
  additionalProperties?: Node;
  items?: Node;
  allOf?: Node[];
  not?: Node;
  if?: Node;
  then?: Node;
  else?: Node;
  $ref?: string;
  $defs?: Record<string, Node>;
  [keyword: string]: unknown;
}

/** Where the schema of the protocol is, from the root of the repository. */
export const schemaFile = "internal/protocol/schema.json";

export function readSchema(root: string): Node {
  return JSON.parse(readFileSync(`${root}/${schemaFile}`, "utf8")) as Node;
}

/** What a reference within the schema leads to. */
export function resolve(schema: Node, ref: string): Node {
  let node: unknown = schema;
  for (const step of ref.split("/").slice(1)) {
    node = (node as Record<string, unknown>)[step.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  if (typeof node !== "object" || node === null) {
    throw new Error(`the schema has nothing at ${ref}`);
  }
  return node as Node;
}
