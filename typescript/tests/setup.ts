import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import { binaries, startRegistry } from "./server.js";
import { root } from "./schema.js";

/** Builds the registry and the judge from the Go side, and starts a registry that the tests share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  execFileSync("go", ["build", "-o", binaries, "./cmd/skillregistry", "./internal/protocol/protocoltest/corpus"], { cwd: root, stdio: "inherit" });
  const registry = await startRegistry();
  project.provide("url", registry.url);
  project.provide("adminKey", registry.adminKey);
  return () => registry.stop();
}

declare module "vitest" {
  interface ProvidedContext {
    url: string;
    adminKey: string;
  }
}
