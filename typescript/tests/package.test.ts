import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { SkillRegistry } from "../src/index.js";
import { root } from "./schema.js";

const here = fileURLToPath(new URL("..", import.meta.url));

/** An empty project into which the packed package is installed. */
let project: string;

function run(folder: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** Compiles a program of the project with the compiler of this folder. Returns what is wrong with it. */
function compile(text: string, options: object): string {
  writeFileSync(join(project, "program.ts"), text);
  const compilerOptions = { strict: true, target: "es2022", module: "nodenext", types: [], ...options };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
  try {
    return run(project, process.execPath, join(here, "node_modules/typescript/bin/tsc"));
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "project-"));
  run(here, "npm", "pack", "--pack-destination", project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  const [tarball = ""] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  run(project, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund", join(project, tarball));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the package that npm pack makes", () => {
  test("brings what runs, the types and the licence, and no dependency but the validator", () => {
    const installed = join(project, "node_modules/@skillregistry/protocol");
    expect(readdirSync(installed).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    expect(readFileSync(join(installed, "LICENSE"), "utf8")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { dependencies: object };
    expect(Object.keys(dependencies)).toEqual(["ajv", "ajv-formats"]);
  });

  test("runs in an empty project", () => {
    writeFileSync(join(project, "run.js"), `import { validate, protocolVersion } from "@skillregistry/protocol"; console.log(protocolVersion, validate({}).length);`);
    expect(run(project, process.execPath, "run.js")).toBe("1.0.0 12\n");
  });

  test.each(["nodenext", "bundler"])("has types with module resolution %s, and they refuse what is wrong", (resolution) => {
    const options = { noEmit: true, moduleResolution: resolution, module: resolution === "bundler" ? "esnext" : resolution };
    const said = compile(
      `import { parse, type CapabilityType, type Descriptor } from "@skillregistry/protocol";
       const descriptor: Descriptor = parse("{}");
       export const types: CapabilityType[] = ["api", descriptor.capability_type];
       export const wrong: CapabilityType = "tool";
       export const little: Descriptor = { id: "com.example.a" };`,
      options,
    );
    expect(said).toMatch(/^program\.ts\(4,.*"tool".*\nprogram\.ts\(5,.*missing the following properties.*\n$/);
  });
});

describe("the program of the README", () => {
  const program = readFileSync(join(here, "examples/find.ts"), "utf8");

  test("is the example, word for word, and short", () => {
    expect(readFileSync(join(here, "README.md"), "utf8")).toContain(`\`\`\`ts\n${program}\`\`\``);
    expect(program.split("\n").length).toBeLessThanOrEqual(20);
  });

  test("is the example in the README of the whole project as well, if it shows one", () => {
    const [, shown] = /```ts\n(.*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
    expect(shown ?? program).toBe(program);
  });

  test("finds a skill in a running registry and prints its endpoint", async () => {
    const id = `com.example.find-${Date.now()}`;
    await new SkillRegistry(inject("url"), { key: inject("adminKey") }).publish({
      protocol: { version: "1.0.0" },
      id,
      name: "Weather",
      version: "1.0.0",
      capability_type: "api",
      description: "Says whether it will rain tomorrow: a marmot's forecast.",
      provider: { name: "Example Corp" },
      endpoint: { url: "https://example.com/forecast", method: "GET" },
      inputs: [],
      output: { type: "string" },
      auth: { type: "oauth2", oauth2: { authorization_url: "https://example.com/a", token_url: "https://example.com/token", scopes: {} } },
      access: "public",
    });
    // The types of Node are this folder's: a project of one's own has them installed.
    expect(compile(program, { typeRoots: [join(here, "node_modules/@types")], types: ["node"] })).toBe("");
    expect(run(project, process.execPath, "program.js", inject("url"), "MARMOT")).toBe(
      `${id} 1.0.0: GET https://example.com/forecast\n  get a token from https://example.com/token\n`,
    );
  });
});
