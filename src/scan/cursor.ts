/**
 * The part of the answer that is at hand: what was consumed is gone, what is held stays. Offsets in the answer
 * are UTF-16 units from its beginning, so they do not depend on how the answer was cut.
 *
 * @module
 */
import { isHighSurrogate } from "../json/escape.ts";
import { isSpace } from "../pattern/node.ts";
import { isLineStart, type TextWindow } from "../pattern/search.ts";

/** A character is read again at most this often on average; then the rest of the answer is text. */
const RESCANS_MAXIMUM = 16;

/** What may be read again however short the answer is. */
const RESCANNED_FREE = 4096;

/** A long text comes to hand in slices of this length, so that the reader can pause between them. */
const SLICE_LENGTH = 2048;

/** A longer text is read in slices, even if no match can begin in it. */
export const PASSED_MAXIMUM = 64 * 1024;

/** Text that is not at hand yet, from an index on. */
interface Ahead {
  readonly text: string;
  from: number;
}

/** A place in a text that is still coming. */
export class Cursor implements TextWindow {
  text = "";
  /** The first character that is not consumed. */
  at = 0;
  /** Where in the answer the text begins. */
  base = 0;
  #isOver = false;
  /** What follows the text at hand, the next piece last. A stack: text that is given back goes on top. */
  readonly #ahead: Ahead[] = [];
  /** Whether the end is a break: the upstream said so, or its connection did. */
  isTruncated = false;
  atLineStart = true;
  #rescanned = 0;
  /** Whether so much was read again that nothing more may be. */
  isExhausted = false;
  /** The text that was dropped since `keep`, and from where on what is at hand belongs to it. */
  #kept: string | undefined;
  #keptFrom = 0;

  /** Whether nothing follows the text at hand. */
  get isEnd(): boolean {
    return this.#isOver && this.#ahead.length === 0;
  }

  /** Whether text has come that is not at hand yet. */
  get isBehind(): boolean {
    return this.#ahead.length > 0;
  }

  /** Where in the answer the cursor is. */
  get offset(): number {
    return this.base + this.at;
  }

  /** Where the white space at the cursor ends. */
  get spaceEnd(): number {
    let end = this.at;
    while (end < this.text.length && isSpace(this.text.charCodeAt(end))) end++;
    return end;
  }

  /** More of the answer has come; `extend` brings what is too long to hand. */
  queue(text: string): void {
    if (this.#ahead.length === 0 && text.length <= SLICE_LENGTH) return this.append(text);
    if (text !== "") this.#ahead.unshift({ text, from: 0 });
    this.extend();
  }

  /** Brings more of what has come to hand; at least so many characters, if there are as many. */
  extend(length = SLICE_LENGTH): void {
    const next = this.#ahead.at(-1);
    if (next === undefined) return;
    const { text, from } = next;
    const end = Math.min(from + length, text.length);
    next.from = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    if (next.from >= text.length) this.#ahead.pop();
    this.append(text.slice(from, next.from));
  }

  /** Nothing follows what has come. `isTruncated`: the end is a break. */
  finish(isTruncated = false): void {
    this.#isOver = true;
    this.isTruncated = isTruncated;
    this.extend();
  }

  /** What follows an index comes to hand later. */
  defer(from: number): void {
    this.#putAhead(this.text.slice(from));
    this.text = this.text.slice(0, from);
  }

  /** More of the answer is at hand; what was consumed is dropped. */
  append(text: string): void {
    if (this.at > 0) {
      this.atLineStart = this.isLineStart(this.at);
      if (this.#kept !== undefined) {
        this.#kept += this.text.slice(this.#keptFrom, this.at);
        this.#keptFrom = 0;
      }
      this.base += this.at;
      this.text = this.text.slice(this.at);
      this.at = 0;
    }
    this.text = this.text === "" ? text : this.text + text;
  }

  /** More of the answer has come and is consumed at once; nothing was held. */
  pass(text: string): void {
    this.base += this.text.length;
    this.atLineStart = this.isLineStart(this.text.length);
    this.text = text;
    this.at = text.length;
  }

  /** Consumes the text up to an index and gives it. */
  take(to: number): string {
    const taken = this.text.slice(this.at, to);
    this.at = to;
    return taken;
  }

  /** Gives back text that had been consumed. At least its first `length` characters are at hand again. */
  restore(text: string, options: { offset: number; atLineStart: boolean; length?: number }): void {
    this.#rescanned += this.offset - options.offset;
    if (this.#rescanned > RESCANNED_FREE + RESCANS_MAXIMUM * this.offset) this.isExhausted = true;
    if (options.offset >= this.base) {
      // It was never dropped; to join it to a long rest anew, again and again, would be quadratic.
      this.at = options.offset - this.base;
      return;
    }
    if (this.#kept !== undefined) {
      this.#kept = this.#kept.slice(0, this.#kept.length - (this.base + this.#keptFrom - options.offset));
      this.#keptFrom = 0;
    }
    const rest = this.text.slice(this.at);
    if (text.length + rest.length > SLICE_LENGTH) {
      this.#putAhead(rest);
      this.#putAhead(text);
    } else this.#putAhead(text + rest);
    this.text = "";
    this.at = 0;
    this.base = options.offset;
    this.atLineStart = options.atLineStart;
    this.extend(Math.max(SLICE_LENGTH, options.length ?? 0));
  }

  #putAhead(text: string): void {
    if (text !== "") this.#ahead.push({ text, from: 0 });
  }

  /** From here on what is consumed is kept, to be read again. */
  keep(): void {
    this.#kept = "";
    this.#keptFrom = this.at;
  }

  /** What was consumed since `keep`; it is not kept any more. */
  takeKept(): string {
    const kept = (this.#kept ?? "") + this.text.slice(this.#keptFrom, this.at);
    this.#kept = undefined;
    return kept;
  }

  /** Whether the character at an index stands at the start of a line, before its indentation or behind it. */
  isLineStart(index: number): boolean {
    return isLineStart(this.text, index, { floor: 0, atLineStart: this.atLineStart });
  }
}
