import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fileURLToPath } from "node:url";
import { type Node, readSchema } from "../generator/schema.js";
import { ExactNumber, standIn } from "../src/number.js";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The schema as the Go side embeds it. */
export const schema: Node = readSchema(root);

/** A validator that is made from the schema here, and not by the package. */
export class Oracle {
  private readonly ajv = new Ajv2020({ allErrors: true, strictTypes: false, verbose: true });

  constructor(from: Node) {
    addFormats.default(this.ajv, ["date-time"]);
    this.ajv.addSchema(from, "protocol");
  }

  /** What a definition has against a value. */
  errors(definition: string, value: unknown): ErrorObject[] {
    const validate = this.ajv.getSchema(`protocol#/$defs/${definition}`)!;
    validate(plain(value));
    return (validate.errors ?? []).filter(({ keyword }) => keyword !== "if");
  }
}

/** A value with plain numbers in it only. */
function plain(value: unknown): unknown {
  if (value instanceof ExactNumber) {
    return standIn(value);
  }
  if (Array.isArray(value)) {
    return value.map(plain);
  }
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  }
  return value;
}
