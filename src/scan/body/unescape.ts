/**
 * Special characters of a value, as its dialect writes them, back to what they stand for, piece by piece:
 *
 *     entities    a &lt; b &amp;&amp; c   →   a < b && c
 *     backslash   say \"hi\"\n            →   say "hi" and a new line
 *
 * @module
 */
import { StringReader } from "../../json/string_reader.ts";
import type { Escapes } from "../program.ts";

/** Turns pieces of a value into pieces of what it says. */
export interface Unescape {
  /** The text of a piece; what may be half an escape waits. */
  push(piece: string): string;
  /** What still waits: no escape after all. */
  end(): string;
}

/** What decodes values that are written so; undefined where they are as they are. */
export function createUnescape(escapes: Escapes): Unescape | undefined {
  if (escapes === "none") return undefined;
  return escapes === "entities" ? new Entities() : new Backslashes();
}

/**
 * A whole text without its escapes.
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

/** The entities that every XML text knows. */
const NAMED: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** Longer than this no entity is: `&#x10FFFF;`. */
const ENTITY_MAXIMUM = 10;

class Entities implements Unescape {
  #waiting = "";

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
      const character = isShort ? entity(text.slice(next + 1, end)) : undefined;
      decoded += text.slice(at, next) + (character ?? "&");
      at = character === undefined ? next + 1 : end + 1;
    }
    this.#waiting = "";
    return decoded + text.slice(at);
  }

  end(): string {
    return this.#waiting;
  }
}

function entity(name: string): string | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name];
  if (!name.startsWith("#")) return undefined;
  const digits = name.slice(1);
  const code = digits.startsWith("x") ? Number(`0${digits}`) : Number(digits || "NaN");
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

class Backslashes implements Unescape {
  #waiting = "";

  push(piece: string): string {
    const text = this.#waiting + piece;
    let json = "";
    const reader = new StringReader({ hasEscapes: true }, (escaped) => json += escaped);
    const end = reader.read(text, 0);
    this.#waiting = text.slice(end);
    return JSON.parse(`"${json}"`) as string;
  }

  end(): string {
    return this.#waiting;
  }
}
