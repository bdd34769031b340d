import { differences, rulesBeside } from "./differences.js";
import { ruleExamples, wholeExample } from "./examples.js";
import { leftOut, Repeated, type Rule, ruleOf, Rules } from "./rules.js";
import { type Node, resolve, schemaFile } from "./schema.js";
import { typeName } from "./types.js";

/** Writes docs/descriptor.md: every member of a descriptor, and for each rule what it accepts and what it refuses. */
export function descriptorPage(schema: Node): string {
  return `${new Page(schema).blocks().join("\n\n")}\n`;
}

class Page {
  /** Where in the example each definition is, by its reference. */
  private readonly sections = new Map<string, string>();
  private readonly rules: Rules;

  constructor(private readonly schema: Node) {
    this.find({ $ref: "#/$defs/descriptor" }, "");
    this.rules = new Rules(schema, (ref) => this.sections.has(ref));
  }

  blocks(): string[] {
    return [
      `<!-- Generated from ${schemaFile} by "npm run generate" in typescript/: changes belong there. -->`,
      "# The Skill Descriptor, member by member",
      "A descriptor is a JSON object. Members that are not named here are accepted everywhere, kept, and come back unchanged.",
      "Every example below is put into this descriptor, at the place that stands beside it (a JSON Pointer), and held against " +
        'the rules by the tests of the registry and of the TypeScript package. `"a"` × 201 is text of 201 letters; an array or ' +
        "an object × 201 has 201 items or members like the one.",
      `\`\`\`json\n${JSON.stringify(wholeExample, null, 2)}\n\`\`\``,
      ...[...this.sections].flatMap(([ref, at]) => this.section(ref, at)),
      "## Rules beside the schema",
      "What a JSON Schema can't say is checked with it, and reported in the same list. In a Skill Index, ids are distinct as well.",
      rulesTable(ruleExamples.map(({ at, accepted, refused }) => ruleOf(at, accepted, refused))),
      "## What TypeScript's types can't say",
      "A document can have its type in the package `@skillregistry/protocol` and still be refused, for one of these reasons and " +
        "for no other. The first are keywords of the schema; the others are checked beside it.",
      table(["reason", "what is asked for"], Object.entries({ ...differences, ...rulesBeside }).map(([reason, asks]) => [reason, asks])),
      "Beside that, a document nests at most 64 deep and holds at most 20,000 values, 2,000 of them objects, and its protocol MAJOR is 1.",
    ];
  }

  /** Finds the definitions below a node, each where it is met first. */
  private find(node: Node | boolean | undefined, at: string): void {
    if (typeof node !== "object") {
      return;
    }
    const target = node.$ref ? resolve(this.schema, node.$ref) : node;
    if (node.$ref && target.title && target.properties) {
      if (this.sections.has(node.$ref)) {
        return;
      }
      this.sections.set(node.$ref, at);
    }
    Object.entries(target.properties ?? {}).forEach(([name, member]) => this.find(member, `${at}/${name}`));
    this.find(target.items, `${at}/0`);
  }

  private section(ref: string, at: string): string[] {
    const node = resolve(this.schema, ref);
    const names = Object.keys(node.properties!);
    return [
      `## ${node.title}`,
      at === "" ? node.description! : `${node.description} In the example it is at \`${at}\`.`,
      table(
        ["member", "type", "required", "what it is"],
        names.map((name) => [`\`${name}\``, this.typeOf(node.properties![name]!), isRequired(node, name), this.says(node.properties![name]!)]),
      ),
      rulesTable(names.flatMap((name) => this.rules.ofMember(node, name, `${ref}/properties/${name}`, `${at}/${name}`))),
    ];
  }

  private typeOf(node: Node | boolean): string {
    if (typeof node === "boolean") {
      return "any";
    }
    if (node.$ref) {
      const target = resolve(this.schema, node.$ref);
      const title = target.title ?? "";
      return this.sections.has(node.$ref) ? `[${typeName(node.$ref.split("/").at(-1)!)}](#${title.toLowerCase().replaceAll(" ", "-")})` : this.typeOf(target);
    }
    if (node.items) {
      return `array of ${this.typeOf(node.items)}`;
    }
    if (node.additionalProperties) {
      return `map to ${this.typeOf(node.additionalProperties)}`;
    }
    return [node.type ?? "any"].flat().join(" or ").replace("any", node.allOf ? this.typeOf(node.allOf[0]!) : "any");
  }

  private says(node: Node | boolean): string {
    if (typeof node === "boolean") {
      return "";
    }
    const target = node.$ref && !this.sections.has(node.$ref) ? resolve(this.schema, node.$ref) : {};
    const says = node.description ?? target.description ?? "";
    return node.default === undefined ? says : `${says} Default: \`${JSON.stringify(node.default)}\`.`;
  }
}

function isRequired(owner: Node, name: string): string {
  if (owner.required?.includes(name)) {
    return "yes";
  }
  const [member, condition] = Object.entries(owner.if?.properties ?? {})[0] ?? [];
  return owner.then?.required?.includes(name) ? `where \`${member}\` is \`${String((condition as Node).const)}\`` : "";
}

function rulesTable(rules: Rule[]): string {
  return table(["where", "rule", "accepted", "refused"], rules.map(({ at, asks, accepted, refused }) => [`\`${at}\``, asks, example(accepted), example(refused)]));
}

function example(value: unknown): string {
  if (value === leftOut) {
    return "left out";
  }
  return value instanceof Repeated ? `${example(value.one)} × ${value.times}` : `\`${JSON.stringify(value)}\``;
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`).join("\n");
}
