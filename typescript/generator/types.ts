import { type Node, resolve, schemaFile } from "./schema.js";

/**
 * Writes the TypeScript types of every definition of the schema that has a title. What
 * types can't say is left out: tests/property11.test.ts has the list.
 */
export function typesFile(schema: Node): string {
  const writer = new Writer(schema);
  const declarations = Object.entries(schema.$defs ?? {})
    .filter(([, node]) => node.title)
    .map(([name, node]) => writer.declaration(name, node));
  return [
    `// Generated from ${schemaFile} by "npm run generate": changes belong there.\n` +
      `// Members that this version of the protocol does not name are accepted and kept: [member: string].`,
    `import type { ExactNumber } from "../number.js";`,
    ...declarations,
  ].join("\n\n") + "\n";
}

/** Writes the schema as a module. */
export function schemaModule(schema: Node): string {
  return [
    `// Generated from ${schemaFile} by "npm run generate": changes belong there.`,
    `/** The JSON Schema (Draft 2020-12) of the protocol's documents. */`,
    `export const schema: { readonly $id: string; readonly [keyword: string]: unknown } = ${JSON.stringify(schema, null, 2)};`,
  ].join("\n") + "\n";
}

/** The name of a definition's type. */
export function typeName(definition: string): string {
  switch (definition) {
    case "error": // the name of JavaScript's own class
      return "ErrorAnswer";
    case "oauth2":
      return "OAuth2";
  }
  return definition.charAt(0).toUpperCase() + definition.slice(1);
}

class Writer {
  constructor(private readonly schema: Node) {}

  declaration(name: string, node: Node): string {
    const type = this.type(node, "");
    const plain = type.startsWith("{") && !type.includes("\n} |");
    return comment([`${node.title}.`, node.description], "") +
      (plain ? `export interface ${typeName(name)} ${type}` : `export type ${typeName(name)} = ${type};`);
  }

  /** The type of what a part of the schema accepts. */
  private type(node: Node | boolean, indent: string): string {
    if (typeof node === "boolean") {
      return "unknown";
    }
    if (node.$ref) {
      const target = resolve(this.schema, node.$ref);
      const [, name] = /^#\/\$defs\/(\w+)$/.exec(node.$ref) ?? [];
      return name && target.title ? typeName(name) : this.type(target, indent);
    }
    if (node.enum) {
      return node.enum.map((value) => JSON.stringify(value)).join(" | ");
    }
    if (node.type === undefined) {
      // The types of allOf hold together; one that types can't say says unknown.
      const types = new Set((node.allOf ?? []).map((part) => this.type(part, indent)));
      types.delete("unknown");
      return [...types].join(" & ") || "unknown";
    }
    return [node.type].flat().map((type) => this.ofType(type, this.where(node, type), indent)).join(" | ");
  }

  /** The part of the schema that counts where the value is of one type, if it has an "if" by type. */
  private where(node: Node, type: string): Node {
    if (typeof node.if?.type !== "string") {
      return node;
    }
    return { ...node, ...(node.if.type === type ? node.then : node.else), type };
  }

  private ofType(type: string, node: Node, indent: string): string {
    switch (type) {
      case "string":
        return node.$ref ? this.type(node, indent) : "string";
      case "boolean":
      case "null":
        return type;
      case "integer":
      case "number":
        return alwaysHeld(type, node) ? "number" : "number | ExactNumber";
      case "array":
        return arrayOf(this.type(node.items ?? true, indent));
      case "object":
        return this.object(node, indent);
    }
    throw new Error(`the schema has a type ${type} that the generator does not know`);
  }

  private object(node: Node, indent: string): string {
    if (!node.properties) {
      return `Record<string, ${this.type(node.additionalProperties ?? true, indent)}>`;
    }
    const { member, value, required } = condition(node);
    if (!member) {
      return this.members(node, indent);
    }
    // Which members are required follows from the value of one: a union tells the two apart.
    const others = this.enumOf(node.properties[member]).filter((other) => other !== value);
    const variant = (values: string[], more: string[]) =>
      this.members({
        ...node,
        properties: { ...node.properties, [member]: { ...(node.properties?.[member] as Node), enum: values } },
        required: [...(node.required ?? []), ...more],
      }, indent);
    return `${variant([value], required)} | ${variant(others, [])}`;
  }

  private enumOf(node: Node | boolean | undefined): string[] {
    if (typeof node === "object" && node.enum) {
      return node.enum;
    }
    throw new Error("the generator knows an \"if\" only beside an enum of the member that it asks for");
  }

  private members(node: Node, indent: string): string {
    const inner = `${indent}  `;
    const lines = Object.entries(node.properties ?? {}).map(([name, member]) => {
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
      const optional = node.required?.includes(name) ? "" : "?";
      return `${comment(this.says(member), inner)}${inner}${key}${optional}: ${this.type(member, inner)};`;
    });
    lines.push(`${inner}[member: string]: ${this.type(node.additionalProperties ?? true, inner)};`);
    return `{\n${lines.join("\n")}\n${indent}}`;
  }

  /** What there is to say about a member: what it is, what it looks like, what it is when it is not there. */
  private says(member: Node | boolean): (string | undefined)[] {
    if (typeof member === "boolean") {
      return [];
    }
    const target = member.$ref ? resolve(this.schema, member.$ref) : {};
    return [
      member.description,
      target.title ? undefined : target.description,
      member.default === undefined ? undefined : `Default: ${JSON.stringify(member.default)}.`,
    ];
  }
}

/** The form "if a member has this value, then these are required". */
function condition(node: Node): { member?: string; value: string; required: string[] } {
  const [entry] = Object.entries(node.if?.properties ?? {});
  if (!entry) {
    return { value: "", required: [] };
  }
  return { member: entry[0], value: String((entry[1] as Node).const), required: node.then?.required ?? [] };
}

/** Reports whether JavaScript holds every number that the schema accepts. */
function alwaysHeld(type: string, node: Node): boolean {
  const { minimum = -Infinity, maximum = Infinity } = node as { minimum?: number; maximum?: number };
  return type === "integer" && minimum >= Number.MIN_SAFE_INTEGER && maximum <= Number.MAX_SAFE_INTEGER;
}

function arrayOf(item: string): string {
  return /^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

function comment(parts: (string | undefined)[], indent: string): string {
  const text = parts.filter(Boolean).join(" ");
  if (text === "") {
    return "";
  }
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.length - 1;
    if (`${lines[last]} ${word}`.length > 96 - indent.length) {
      lines.push(word);
    } else {
      lines[last] = `${lines[last]} ${word}`.trimStart();
    }
  }
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}
