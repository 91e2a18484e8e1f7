/**
 * Reads the inside of one string while it streams, whatever its closing mark, and passes it on as JSON.
 *
 *     'Martha\'s'      "C:\\x"      """two\nlines"""      <|"|>raw \ text<|"|>
 *      ^^^^^^^^^ read up to the closing mark
 *
 * @module
 */
import { isHighSurrogate } from "./escape.ts";
import { isHex } from "./scalar.ts";
import { isDrive, unescapedPathEnd } from "./unescaped_path.ts";
import { escapeJson } from "./writer.ts";

/** The notation of a string. */
export interface StringNotation {
  /** The closing mark; without one, the string continues to the end of the text. */
  readonly closer?: string;
  /** Whether a backslash escapes the next character. */
  readonly hasEscapes: boolean;
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** The letter after a backslash → the character that the escape means. */
const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  a: "\x07",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "/": "/",
  "\n": "",
};

/** The number of hexadecimal digits in the escapes `\x`, `\u` and `\U`. */
const DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Reads one string. Call `read` with the text after the opening mark. */
export class StringReader {
  /** Whether the closing mark was read. */
  isDone = false;
  readonly #notation: StringNotation;
  readonly #piece: (escaped: string) => void;
  /** The beginning of the string, as far as it decides whether that is a drive. */
  #head = "";

  /**
   * A reader at the beginning of a string.
   *
   * @param piece receives each piece of the text, escaped for JSON
   */
  constructor(notation: StringNotation, piece: (escaped: string) => void) {
    this.#notation = notation;
    this.#piece = piece;
  }

  /** Reads from `at` and returns the first position that it didn't consume. */
  read(text: string, at: number): number {
    while (at < text.length && !this.isDone) {
      const next = this.#step(text, at);
      if (next === at) break;
      at = next;
    }
    return at;
  }

  #step(text: string, at: number): number {
    const end = this.#plainEnd(text, at);
    if (end > at) return this.#plain(text, at, end);
    const { closer, hasEscapes } = this.#notation;
    if (closer !== undefined && text.startsWith(closer, at)) {
      this.isDone = true;
      return at + closer.length;
    }
    // The closing mark can be incomplete.
    if (closer?.startsWith(text.slice(at))) return at;
    if (hasEscapes && text.charCodeAt(at) === BACKSLASH) return this.#backslash(text, at);
    this.#piece(escapeJson(text[at]!));
    return at + 1;
  }

  /** The end of the run of characters that JSON writes unchanged. */
  #plainEnd(text: string, at: number): number {
    const first = this.#notation.closer?.charCodeAt(0) ?? QUOTE;
    let end = at;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      if (unit === first || unit === BACKSLASH || unit === QUOTE || unit < 0x20) break;
    }
    return end;
  }

  #plain(text: string, at: number, end: number): number {
    // A high surrogate waits for its low surrogate.
    const isHalf = end === text.length && isHighSurrogate(text.charCodeAt(end - 1));
    const stop = isHalf ? end - 1 : end;
    if (stop === at) return at;
    const piece = text.slice(at, stop);
    if (this.#head.length < 3) this.#head += piece.slice(0, 3);
    this.#piece(piece.isWellFormed() ? piece : escapeJson(piece));
    return stop;
  }

  #backslash(text: string, at: number): number {
    const { closer = "" } = this.#notation;
    const isPath = closer.length === 1 && isDrive(this.#head);
    const end = isPath ? unescapedPathEnd(text, { at, quote: closer.charCodeAt(0) }) : -1;
    if (end === undefined) return at;
    this.#head += "\\";
    if (end < 0) return this.#escape(text, at);
    this.#piece(escapeJson(text.slice(at, end)));
    return end;
  }

  /** Reads an escape. One that neither Python nor JSON defines keeps its backslash. */
  #escape(text: string, at: number): number {
    if (at + 1 >= text.length) return at;
    const letter = text[at + 1]!;
    const plain = LETTERS[letter];
    if (plain !== undefined) {
      this.#piece(escapeJson(plain));
      return at + 2;
    }
    const digits = DIGITS[letter];
    if (digits !== undefined) return this.#codePoint(text, at, digits);
    if (letter >= "0" && letter <= "7") return this.#octal(text, at);
    this.#piece("\\\\");
    return at + 1;
  }

  #codePoint(text: string, at: number, digits: number): number {
    const code = text.slice(at + 2, at + 2 + digits);
    const value = Number.parseInt(code, 16);
    if (!isHex(code) || value > 0x10ffff) {
      this.#piece("\\\\");
      return at + 1;
    }
    if (code.length < digits) return at;
    // Each half of a surrogate pair is an escape of its own, in JSON too.
    this.#piece(digits === 4 ? `\\u${code}` : escapeJson(String.fromCodePoint(value)));
    return at + 2 + digits;
  }

  /** Reads up to three octal digits; the first character after them shows how many there are. */
  #octal(text: string, at: number): number {
    let end = at + 1;
    while (end < at + 4 && text[end] !== undefined && text[end]! >= "0" && text[end]! <= "7") end++;
    if (end === text.length && end < at + 4) return at;
    this.#piece(escapeJson(String.fromCodePoint(Number.parseInt(text.slice(at + 1, end), 8))));
    return end;
  }
}
