import ts from "typescript";
import { typeName } from "../generator/types.js";
import type { Instance } from "./instances.js";
import { literal } from "./literal.js";

const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  types: [],
  lib: ["lib.es2022.d.ts"],
};

/**
 * Asks the compiler of every instance whether it has the type of its definition: one
 * program, one line for each. Returns the complaint of each; undefined where there is none.
 * types is the module that the types are in.
 */
export function compilerSays(instances: Instance[], types: string): (string | undefined)[] {
  const file = new URL("instances.generated.ts", `file://${types}`).pathname;
  const names = [...new Set(instances.map(({ definition }) => typeName(definition)))];
  const head = `import type { ${names.join(", ")} } from "./types.js"; import type { ExactNumber } from "../number.js"; declare const exact: ExactNumber;`;
  const text = [head, ...instances.map(({ definition, value }) => `(${literal(value)}) satisfies ${typeName(definition)};`)].join("\n");
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, rest[0]) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file)!;
  const said: (string | undefined)[] = instances.map(() => undefined);
  for (const diagnostic of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
    const { line } = source.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, " ");
    if (line === 0) {
      throw new Error(message);
    }
    said[line - 1] ??= message;
  }
  return said;
}
