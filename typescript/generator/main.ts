import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { generated } from "./generated.js";

// Run as build/generator/main.js, twice after the schema changed: the reference quotes the
// violations of the package, which has the generated schema in it.
const root = fileURLToPath(new URL("../../../", import.meta.url));

for (const [file, text] of Object.entries(generated(root))) {
  writeFileSync(`${root}/${file}`, text);
}
