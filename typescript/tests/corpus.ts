import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Kind, Violation } from "../src/index.js";
import { binaries } from "./server.js";

/** A document as it is sent: bytes, which may be no JSON. */
export interface Sent {
  kind: Kind;
  bytes: Buffer;
}

/** What one side says of a document. */
export interface Verdict {
  /** Empty where the document is valid. */
  code: string;
  /** The pointers of the violations. */
  fields: string[];
  /** The canonical form, where the document is an object in strict JSON. */
  canonical: string;
}

const corpus = join(binaries, "corpus");
const protocol = fileURLToPath(new URL("../../internal/protocol", import.meta.url));

/** Documents made on the Go side. */
export function madeInGo(count: number, seed: number): Sent[] {
  return documents("generate", String(count), String(seed));
}

/** Documents that fuzzing the Go side found: those that are kept, and those of this machine, where their folders are named. */
export function foundByFuzzing(): Sent[] {
  const kept = ["FuzzParse", "FuzzCanonicalize"].map((target) => join(protocol, "testdata/fuzz", target));
  const here = (process.env["SKILLREGISTRY_TEST_FOUND"] ?? "").split(":").filter((folder) => folder !== "");
  return documents("found", ...kept, ...here);
}

function documents(...args: string[]): Sent[] {
  return linesOf(execFileSync(corpus, args, { maxBuffer: 1 << 28 })).map((line) => {
    const { kind, bytes } = JSON.parse(line) as { kind: Kind; bytes: string };
    return { kind, bytes: Buffer.from(bytes, "base64") };
  });
}

/** What the Go package says of documents. */
export function goVerdicts(documents: Sent[]): Verdict[] {
  const input = documents.map(({ kind, bytes }) => JSON.stringify({ kind, bytes: bytes.toString("base64") })).join("\n");
  return linesOf(execFileSync(corpus, ["judge"], { input, maxBuffer: 1 << 28 })).map((line) => {
    const { code, violations, canonical } = JSON.parse(line) as { code: string; violations: Violation[] | null; canonical: string };
    return { code, fields: fieldsOf(violations ?? []), canonical: canonical.startsWith("{") ? canonical : "" };
  });
}

export function fieldsOf(violations: Violation[]): string[] {
  return violations.map(({ field }) => field).sort();
}

function linesOf(output: Buffer): string[] {
  return output.toString().split("\n").filter((line) => line !== "");
}
