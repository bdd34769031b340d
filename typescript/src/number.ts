/**
 * A JSON number that JavaScript's own numbers can't hold, such as 12345678901234567890
 * or 1e400. It keeps the digits that it was written with. It is never made for a number
 * that can be held: 1.0 and 1e3 are read as plain numbers.
 */
export class ExactNumber {
  /** The number as it is written in JSON. */
  readonly text: string;

  /** Throws a TypeError when text is not a number as JSON writes it. */
  constructor(text: string) {
    if (!/^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(text)) {
      throw new TypeError(`${JSON.stringify(text)} is not a JSON number`);
    }
    this.text = text;
  }

  /** The nearest number that JavaScript has. Digits are lost, which is why it has to be asked for. */
  toNumber(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  /**
   * Keeps the digits in JSON.stringify where the engine can (JSON.rawJSON). Elsewhere it
   * throws a TypeError, because any other answer would change the number: use serialize.
   */
  toJSON(): unknown {
    const { rawJSON } = JSON as { rawJSON?: (text: string) => unknown };
    if (!rawJSON) {
      throw new TypeError(`JSON.stringify would change the number ${this.text}: use serialize`);
    }
    return rawJSON(this.text);
  }
}

/** The value of a JSON number's text: a plain number where that holds it, digit for digit. */
export function readNumber(text: string): number | ExactNumber {
  const value = Number(text);
  const held = String(value) === text || (Number.isFinite(value) && normalNumber(value) === normalNumber(new ExactNumber(text)));
  return held ? value : new ExactNumber(text);
}

/** The form that equal numbers share, however they are written. */
export function normalNumber(value: number | ExactNumber): string {
  const { negative, digits, exponent } = decimal(String(value));
  return `${negative ? "-" : ""}${digits}e${exponent}`;
}

/** Reports whether a number has no fraction. */
export function isInteger(value: number | ExactNumber): boolean {
  return typeof value === "number" ? Number.isInteger(value) : decimal(value.text).exponent >= 0;
}

/**
 * A plain number in the place of one that can't be held, alike in all that the schema asks
 * of numbers: whether it is an integer, and on which side of 0 and of 2^53-1 it lies.
 */
export function standIn(value: ExactNumber): number {
  if (isInteger(value)) {
    const limit = Number.MAX_VALUE;
    return Math.min(Math.max(value.toNumber(), -limit), limit);
  }
  return value.text.startsWith("-") ? -0.5 : 0.5;
}

interface Decimal {
  negative: boolean;
  /** Without zeros at either end; empty for zero. */
  digits: string;
  /** The power of ten that the digits are multiplied by. */
  exponent: number;
}

function decimal(text: string): Decimal {
  const [, sign, whole = "", fraction = "", power = "0"] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE](.+))?$/.exec(text) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") {
    return { negative: false, digits, exponent: 0 };
  }
  return { negative: sign === "-", digits, exponent: Number(power) - fraction.length + all.length - digits.length };
}

/**
 * How the numbers of a document were written, where JavaScript would write them in another
 * way (1.0, 1e3). It stands beside the objects and arrays that hold the numbers, so that
 * a document comes back digit for digit although its numbers are plain ones.
 */
const spellings = new WeakMap<object, Map<string, string>>();

export function rememberSpelling(holder: object, member: string, text: string): void {
  const known = spellings.get(holder) ?? new Map<string, string>();
  spellings.set(holder, known.set(member, text));
}

/** How a number was written, unless the member has another value by now. */
export function spellingOf(holder: object, member: string, value: number): string | undefined {
  const text = spellings.get(holder)?.get(member);
  return text !== undefined && Object.is(Number(text), value) ? text : undefined;
}
