/**
 * Reads one escape inside a JSON string. A valid escape such as `\\n` is kept; an invalid one is repaired so that its
 * characters are preserved.
 *
 * @module
 */
import { isHex } from "./scalar.ts";

/** An escape in valid JSON. */
export interface Escape {
  /** The JSON text for the escape. */
  readonly json: string;
  /** The position after the escape. */
  readonly end: number;
  /** Whether the escape was invalid and is repaired. */
  readonly isRepaired: boolean;
}

/**
 * Reads an escape.
 *
 * @param at the position of its backslash
 * @returns undefined if more text decides
 */
export function readEscape(text: string, at: number): Escape | undefined {
  if (at + 1 >= text.length) return undefined;
  const letter = text[at + 1]!;
  if ('"\\/bfnrt'.includes(letter)) return { json: text.slice(at, at + 2), end: at + 2, isRepaired: false };
  const digits = letter === "u" ? 4 : letter === "x" ? 2 : 0;
  const code = text.slice(at + 2, at + 2 + digits);
  if (digits > 0 && code.length < digits && isHex(code)) return undefined;
  if (letter === "u" && isHex(code)) return { json: text.slice(at, at + 6), end: at + 6, isRepaired: false };
  if (letter === "x" && isHex(code)) return { json: `\\u00${code}`, end: at + 4, isRepaired: true };
  if (letter === "'") return { json: "'", end: at + 2, isRepaired: true };
  return { json: "\\\\", end: at + 1, isRepaired: true };
}

/** Whether a code unit is the first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
