import { descriptorPage } from "./page.js";
import { readSchema } from "./schema.js";
import { schemaModule, typesFile } from "./types.js";

/** Every file that is generated, by its path from the root of the repository. */
export function generated(root: string): Record<string, string> {
  const schema = readSchema(root);
  return {
    "docs/descriptor.md": descriptorPage(schema),
    "typescript/src/generated/schema.ts": schemaModule(schema),
    "typescript/src/generated/types.ts": typesFile(schema),
  };
}
