import { ProtocolError } from "./error.js";
import { type ExactNumber, readNumber, rememberSpelling } from "./number.js";
import { pointerTo } from "./pointer.js";

/** The bounds within which documents are read and checked. By default they are those of a registry. */
export interface Limits {
  /** How deep objects and arrays may nest; 64 by default. */
  maxDepth?: number | undefined;
  /**
   * How many values a document may hold that is checked, and ten times how many of them may
   * be objects; 20,000 by default.
   */
  maxValues?: number | undefined;
}

export const defaultMaxDepth = 64;

// The bounds of one number: those of a registry.
const maxNumberLength = 400;
const maxExponent = 400;

/**
 * Reads strict JSON, as a registry does: UTF-8, no name twice in one object, nothing behind
 * the value, within the limits. A number that JavaScript can't hold comes back as an
 * ExactNumber. Throws a ProtocolError with the code INVALID_JSON, and the reason and the
 * offset in bytes in its details.
 */
export function readJSON(json: string | Uint8Array, limits: Limits = {}): unknown {
  return new Reader(typeof json === "string" ? json : decode(json), limits.maxDepth ?? defaultMaxDepth).document();
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid("it is not UTF-8", {});
  }
}

function invalid(reason: string, where: { offset?: number; pointer?: string }): ProtocolError {
  const at = where.offset === undefined ? "" : ` at byte ${where.offset}`;
  return new ProtocolError({ code: "INVALID_JSON", message: `Not strict JSON: ${reason}${at}.`, details: { ...where, reason } });
}

const escapes: Record<string, string> = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

class Reader {
  private at = 0;
  /** The members that lead to the value that is being read. */
  private readonly path: (string | number)[] = [];

  constructor(
    private readonly text: string,
    private readonly maxDepth: number,
  ) {}

  document(): unknown {
    if (!this.text.isWellFormed()) {
      throw this.fault("half of a surrogate pair stands alone", this.text.search(/\p{Surrogate}/u));
    }
    this.space();
    const value = this.value();
    this.space();
    if (this.at < this.text.length) {
      throw this.fault("there is more after the end of the JSON value");
    }
    return value;
  }

  private value(holder?: object): unknown {
    switch (this.text[this.at]) {
      case "{":
        return this.object();
      case "[":
        return this.array();
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      default:
        return this.number(holder);
    }
  }

  private object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (let more = this.open("}"); more; more = this.more("}")) {
      const start = this.at;
      if (this.text[start] !== '"') {
        throw this.fault("the name of a member was expected");
      }
      const name = this.string();
      if (Object.hasOwn(object, name)) {
        throw this.fault(`the member name ${JSON.stringify(name)} stands twice in one object`, start);
      }
      this.space();
      this.expect(":");
      this.space();
      this.path.push(name);
      const value = this.value(object);
      this.path.pop();
      if (name === "__proto__") { // which a plain assignment would not make a member
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
      } else {
        object[name] = value;
      }
    }
    return object;
  }

  private array(): unknown[] {
    const array: unknown[] = [];
    for (let more = this.open("]"); more; more = this.more("]")) {
      this.path.push(array.length);
      array.push(this.value(array));
      this.path.pop();
    }
    return array;
  }

  /** Goes past an opening bracket; reports whether a member follows. */
  private open(close: string): boolean {
    if (this.path.length >= this.maxDepth) {
      throw this.fault(`objects and arrays nest deeper than ${this.maxDepth}`);
    }
    this.at++;
    this.space();
    return !this.skip(close);
  }

  /** Goes past what stands behind a member; reports whether another one follows. */
  private more(close: string): boolean {
    this.space();
    if (this.skip(close)) {
      return false;
    }
    this.expect(",");
    this.space();
    return true;
  }

  private string(): string {
    const start = this.at++;
    let value = "";
    for (;;) {
      value += this.match(/[^"\\\u0000-\u001f]*/y);
      if (this.skip('"')) {
        break;
      }
      if (!this.skip("\\")) {
        throw this.fault("a control character stands in a string");
      }
      value += this.escape();
    }
    if (!value.isWellFormed()) {
      throw this.fault("half of a surrogate pair stands alone", start);
    }
    return value;
  }

  private escape(): string {
    const unit = this.match(/u[0-9a-fA-F]{4}/y);
    if (unit !== "") {
      return String.fromCharCode(parseInt(unit.slice(1), 16));
    }
    const character = escapes[this.text[this.at] ?? ""];
    if (character === undefined) {
      throw this.fault("a string has an escape that JSON does not know");
    }
    this.at++;
    return character;
  }

  private number(holder: object | undefined): number | ExactNumber {
    const start = this.at;
    const text = this.match(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    if (text === "") {
      throw this.fault("a value was expected");
    }
    if (text.length > maxNumberLength) {
      throw this.fault(`a number is longer than ${maxNumberLength} characters`, start);
    }
    if (Math.abs(Number(text.split(/[eE]/)[1] ?? 0)) > maxExponent) {
      throw this.fault(`the exponent of a number is not within -${maxExponent} and ${maxExponent}`, start);
    }
    const value = readNumber(text);
    if (holder && typeof value === "number" && String(value) !== text) {
      rememberSpelling(holder, String(this.path.at(-1)), text);
    }
    return value;
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) {
      throw this.fault("a value was expected");
    }
    this.at += word.length;
    return value;
  }

  private space(): void {
    this.match(/[ \t\r\n]*/y);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private skip(character: string): boolean {
    if (this.text[this.at] !== character) {
      return false;
    }
    this.at++;
    return true;
  }

  private expect(character: string): void {
    if (!this.skip(character)) {
      throw this.fault(`${character} was expected`);
    }
  }

  private fault(reason: string, at = this.at): ProtocolError {
    if (at >= this.text.length) {
      reason = this.text.trim() === "" ? "there is nothing but an empty text" : "the text ends too early";
    }
    const offset = new TextEncoder().encode(this.text.slice(0, at)).length;
    return invalid(reason, { offset, pointer: this.path.reduce<string>(pointerTo, "") });
  }
}
