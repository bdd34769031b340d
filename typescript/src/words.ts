import { ExactNumber } from "./number.js";
import { jsonType, nameOf } from "./write.js";

// What violations say, in the words that a registry uses.

export const missing = "nothing";

const maxShown = 80;

/** Says what was there: a string as it is, other values as JSON, all of them shortened. */
export function show(value: unknown): string {
  switch (jsonType(value)) {
    case "string":
      return showString(value as string);
    case "array":
      return `an array of ${count((value as unknown[]).length, "item")}`;
    case "object":
      return `an object of ${count(Object.keys(value as object).length, "member")}`;
    case undefined:
      return nameOf(value);
  }
  return shorten(value instanceof ExactNumber ? value.text : String(value));
}

/** Says what was there where the type of it is the fault. */
export function showTyped(value: unknown): string {
  switch (jsonType(value)) {
    case "string":
      return `the string ${quote(value as string)}`;
    case "number":
      return `the number ${show(value)}`;
  }
  return show(value);
}

/** Text is bare where a reader can see where it begins and ends, and quoted where not. */
function showString(text: string): string {
  if (text === "") {
    return "an empty string";
  }
  const plain = text.trim() === text && /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u.test(text);
  return plain ? shorten(text) : quote(text);
}

function quote(text: string): string {
  return JSON.stringify(shorten(text));
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= maxShown ? text : `${characters.slice(0, maxShown - 1).join("")}…`;
}

/** A number with its noun: "1 item", "3 items". */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** Says the names of JSON types in words: "a string", "an object or a boolean". */
export function typeWords(types: string | string[]): string {
  return [types].flat().map((type) => (type === "null" ? type : `${/^[aio]/.test(type) ? "an" : "a"} ${type}`)).join(" or ");
}

/** Turns the first sentence of a description into the words behind "expected". */
export function phrase(description: string): string {
  const [sentence = ""] = description.split(". ");
  const words = sentence.replace(/\.$/, "");
  const abbreviation = /^.\p{Lu}/u.test(words);
  return abbreviation ? words : words.charAt(0).toLowerCase() + words.slice(1);
}
