import type { Descriptor, Index, InvocationRequest, InvocationResponse } from "./generated/types.js";

/** The kinds of documents that the protocol has, and their types. */
export interface Documents {
  descriptor: Descriptor;
  index: Index;
  "invocation-request": InvocationRequest;
  "invocation-response": InvocationResponse;
}

export type Kind = keyof Documents;

/** The name of each kind's definition in the schema. */
export const definitions: Record<Kind, string> = {
  descriptor: "descriptor",
  index: "index",
  "invocation-request": "invocationRequest",
  "invocation-response": "invocationResponse",
};

/** Every kind of document. */
export const kinds = Object.keys(definitions) as Kind[];
