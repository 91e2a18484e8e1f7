/** The meaning of a backslash inside a string: an escape of JSON or Python, or an unescaped character of a path. @module */
import { own } from "../object/own.ts";
import { isLetter } from "../pattern/characters.ts";
import { isBare, isHex } from "./scalar.ts";
import { escapeJson } from "./writer.ts";

export interface Escape {
  readonly json: string;
  readonly end: number;
  readonly isRepaired: boolean;
}

/** Reads JSON's escape at a backslash: an invalid one keeps its characters. Undefined if more text decides. */
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

/** The letters of the escapes that have another meaning in Python than in JSON. */
const PYTHON: Readonly<Record<string, string>> = { a: "\\u0007", v: "\\u000b", "/": "/", "\n": "" };

/** The number of hexadecimal digits in the escapes that name a character. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, U: 8 };

/** Reads Python's or JSON's escape at a backslash, which stays if neither defines it. Undefined if more text decides. */
export function readPythonEscape(text: string, at: number): Escape | undefined {
  const letter = text[at + 1] ?? "";
  const json = own(PYTHON, letter);
  if (json !== undefined) return { json, end: at + 2, isRepaired: false };
  const digits = own(DIGITS, letter) ?? 0;
  const code = text.slice(at + 2, at + 2 + digits);
  const isCode = digits > 0 && isHex(code) && !(Number.parseInt(code, 16) > 0x10ffff);
  if (isCode) return code.length < digits ? undefined : character(code, 16, at + 2 + digits);
  let end = at + 1;
  while (end < at + 4 && isOctal(text[end])) end++;
  if (end === at + 1) return readEscape(text, at);
  // The first character after the digits shows how many there are.
  return end === text.length && end < at + 4 ? undefined : character(text.slice(at + 1, end), 8, end);
}

function character(code: string, radix: number, end: number): Escape {
  const json = escapeJson(String.fromCodePoint(Number.parseInt(code, radix)));
  return { json, end, isRepaired: false };
}

function isOctal(digit: string | undefined): boolean {
  return digit !== undefined && digit >= "0" && digit <= "7";
}

/** Whether a code unit is the first half of a surrogate pair. */
export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Passes text on in whole characters: the first half of a surrogate pair at its end waits for the second. */
export class WholeCharacters {
  #half = "";

  get isEmpty(): boolean {
    return this.#half === "";
  }

  push(text: string): string {
    const whole = this.#half + text;
    const end = isHighSurrogate(whole.charCodeAt(whole.length - 1)) ? whole.length - 1 : whole.length;
    this.#half = whole.slice(end);
    return whole.slice(0, end);
  }

  /** Ends the text with the half that waits. */
  end(): string {
    const half = this.#half;
    this.#half = "";
    return half;
  }
}

/** The longest path that programs for Windows take. */
const PATH_MAXIMUM = 260;

export function isDrive(head: string): boolean {
  return head.length === 2 && head[1] === ":" && isLetter(head.charCodeAt(0));
}

/**
 * Finds the end of a path with a drive whose backslashes the model didn't escape:
 *
 *     "C:\dir\new"
 *        ^^ not an escape of JSON, so `\n` isn't one either
 *
 * @param options `at`: the backslash after the drive; `quote`: the mark that closes the string
 * @returns the position of the closing mark; -1 if the string is something else, undefined if more text decides
 */
export function unescapedPathEnd(
  text: string,
  { at, quote }: { readonly at: number; readonly quote: number },
): number | undefined {
  let isUnescaped = false;
  for (let end = at + 1; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const isAfterSeparator = text.charCodeAt(end - 1) === 0x5c;
    if (isAfterSeparator && readEscape(text, end - 1)?.isRepaired === true) isUnescaped = true;
    if (unit === quote && !isAfterSeparator) return isUnescaped ? end : -1;
    const isPart = unit === 0x5c ? !isAfterSeparator : isBare(unit);
    if (!isPart || end - at > PATH_MAXIMUM) return -1;
  }
  return undefined;
}
