/**
 * Decodes the special characters of a value from its dialect's notation, piece by piece:
 *
 *     entities    a &lt; b &amp;&amp; c   →   a < b && c
 *     backslash   say \"hi\"\n            →   say "hi" and a new line
 *
 * @module
 */
import { decodePython } from "../../json/json_string.ts";
import { own } from "../../object/own.ts";
import type { Escapes } from "../compiled_rule.ts";

export interface Unescape {
  /** The length of the text that still waits. */
  readonly waiting: number;
  /** Decodes a piece; a possible beginning of an escape waits. */
  push(piece: string): string;
  /** The text that still waits and isn't an escape. */
  end(): string;
}

/** Creates the decoder of a notation, or undefined if it has no escapes. */
export function createUnescape(escapes: Escapes = "none"): Unescape | undefined {
  if (escapes === "none") return undefined;
  return escapes === "entities" ? new Entities() : new Backslashes();
}

/**
 * Decodes a whole text.
 *
 * @example
 * ```ts
 * import { unescapeText } from "./unescape.ts";
 * console.assert(unescapeText("a &amp; b", "entities") === "a & b");
 * ```
 */
export function unescapeText(text: string, escapes: Escapes): string {
  const unescape = createUnescape(escapes);
  return unescape === undefined ? text : unescape.push(text) + unescape.end();
}

/** The entities that XML predefines. */
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The length of the longest entity: `&#x10FFFF;`. */
const ENTITY_MAXIMUM = 10;

class Entities implements Unescape {
  #waiting = "";

  get waiting(): number {
    return this.#waiting.length;
  }

  push(piece: string): string {
    const text = this.#waiting + piece;
    let decoded = "";
    let at = 0;
    for (let next = text.indexOf("&"); next >= 0; next = text.indexOf("&", at)) {
      const end = text.indexOf(";", next);
      if (end < 0 && text.length - next < ENTITY_MAXIMUM) {
        this.#waiting = text.slice(next);
        return decoded + text.slice(at, next);
      }
      const isShort = end >= 0 && end - next < ENTITY_MAXIMUM;
      const character = isShort ? readEntity(text.slice(next + 1, end), NAMED) : undefined;
      decoded += text.slice(at, next) + (character ?? "&");
      at = character === undefined ? next + 1 : end + 1;
    }
    this.#waiting = "";
    return decoded + text.slice(at);
  }

  end(): string {
    const rest = this.#waiting;
    this.#waiting = "";
    return rest;
  }
}

/**
 * The character of an entity.
 *
 * @param entity its text without `&` and `;`
 * @param names the characters that have names
 */
export function readEntity(entity: string, names: Readonly<Record<string, string>>): string | undefined {
  if (!entity.startsWith("#")) return own(names, entity);
  const digits = entity.slice(1);
  const code = digits.startsWith("x") ? Number(`0${digits}`) : Number(digits || "NaN");
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

class Backslashes implements Unescape {
  #waiting = "";

  get waiting(): number {
    return this.#waiting.length;
  }

  push(piece: string): string {
    const text = this.#waiting + piece;
    const { decoded, end } = decodePython(text);
    this.#waiting = text.slice(end);
    return decoded;
  }

  end(): string {
    return this.#waiting;
  }
}
