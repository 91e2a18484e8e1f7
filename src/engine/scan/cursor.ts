/**
 * The available part of the answer: consumed text is dropped, held text stays. Offsets count UTF-16 units from the
 * beginning of the answer, so they don't depend on how the answer is cut.
 *
 * @module
 */
import { isHighSurrogate } from "../json/escape.ts";
import { spaceEnd } from "../pattern/node.ts";
import { isLineStart, type TextWindow } from "../pattern/search.ts";

/** The highest average number of times that a character is read again; above it, the rest of the answer is text. */
const RESCANS_MAXIMUM = 4;

/** The number of characters that can be read again in any answer, however short. */
const RESCANNED_FREE = 32 * 1024;

/** The length of the slices in which a long text becomes available: what waits longer is looked at again at each one. */
const SLICE_LENGTH = 2048;

/** Longer text is read in slices, even if no match can begin in it. */
export const PASSED_MAXIMUM = 64 * 1024;

/** Text, from an index on, that isn't available yet. */
interface Ahead {
  readonly text: string;
  from: number;
}

/** A position in a text that is still arriving. */
export class Cursor implements TextWindow {
  text = "";
  /** The index of the first character that isn't consumed. */
  at = 0;
  /** The offset of `text` in the answer. */
  base = 0;
  #isOver = false;
  /** The text after the available part, as a stack with the next piece on top, where returned text goes. */
  readonly #ahead: Ahead[] = [];
  /** Whether the answer was cut off, according to the upstream or because the connection broke. */
  isTruncated = false;
  atLineStart = true;
  previous = 0;
  wordFloor = 0;
  #rescanned = 0;
  /** The offset in the answer up to which it was read before text was returned. */
  #furthest = 0;
  /** Whether so much was read again that nothing more can be. */
  isExhausted = false;
  /**
   * The text dropped since `keep`, and the index from which the available text belongs to it. It stays in pieces, because
   * to cut the end of a joined text each time would copy it.
   */
  #kept: string[] | undefined;
  #keptFrom = 0;

  /** Whether the available text is the last. */
  get isEnd(): boolean {
    return this.#isOver && this.#ahead.length === 0;
  }

  /** Whether more text arrived than is available. */
  get isBehind(): boolean {
    return this.#ahead.length > 0;
  }

  get offset(): number {
    return this.base + this.at;
  }

  get spaceEnd(): number {
    return spaceEnd(this.text, this.at);
  }

  /** Adds text of the answer, of which the first slice becomes available. */
  queue(text: string): void {
    if (this.#ahead.length === 0 && text.length <= SLICE_LENGTH) return this.append(text);
    if (text !== "") this.#ahead.unshift({ text, from: 0 });
    this.extend();
  }

  /** Makes at least `length` more characters available, if that many have arrived. */
  extend(length = SLICE_LENGTH): void {
    const next = this.#ahead.at(-1);
    if (next === undefined) return;
    const { text, from } = next;
    const end = Math.min(from + length, text.length);
    next.from = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    if (next.from >= text.length) this.#ahead.pop();
    this.append(text.slice(from, next.from));
  }

  finish(isTruncated = false): void {
    this.#isOver = true;
    this.isTruncated = isTruncated;
    this.extend();
  }

  /** Withholds the text from an index until later. */
  defer(from: number): void {
    this.#putAhead(this.text.slice(from));
    this.text = this.text.slice(0, from);
  }

  /** Makes more text available and drops the consumed text. */
  append(text: string): void {
    if (this.at > 0) {
      this.atLineStart = this.isLineStart(this.at);
      this.previous = this.text.charCodeAt(this.at - 1);
      this.#kept?.push(this.text.slice(this.#keptFrom, this.at));
      this.#keptFrom = 0;
      this.base += this.at;
      this.text = this.text.slice(this.at);
      this.at = 0;
    }
    this.text += text;
  }

  /** Adds text that is consumed immediately. Nothing is held. */
  pass(text: string): void {
    this.base += this.text.length;
    this.atLineStart = this.isLineStart(this.text.length);
    if (this.text !== "") this.previous = this.text.charCodeAt(this.text.length - 1);
    this.text = text;
    this.at = text.length;
  }

  take(to: number): string {
    const taken = this.text.slice(this.at, to);
    this.at = to;
    return taken;
  }

  /** Returns consumed text to be read again. At least its first `length` characters become available. */
  restore(text: string, options: { offset: number; atLineStart: boolean; length?: number }): void {
    this.#rescanned += this.offset - options.offset;
    this.#furthest = Math.max(this.#furthest, this.offset);
    if (this.#rescanned > RESCANNED_FREE + RESCANS_MAXIMUM * this.#furthest) this.isExhausted = true;
    // The character before may be gone, and what is read again began a match or followed a value.
    this.wordFloor = options.offset;
    if (options.offset >= this.base) {
      // The text is still available. To join it to a long rest repeatedly would take quadratic time.
      this.at = options.offset - this.base;
      return;
    }
    if (this.#kept) dropEnd(this.#kept, this.base + this.#keptFrom - options.offset);
    this.#keptFrom = 0;
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

  keep(): void {
    this.#kept = [];
    this.#keptFrom = this.at;
  }

  /** Stops keeping text, and returns the text consumed since `keep`. */
  takeKept(): string {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    return kept.join("") + this.text.slice(this.#keptFrom, this.at);
  }

  /** Whether only indentation comes between the start of a line and the character at an index. */
  isLineStart(index: number): boolean {
    return isLineStart(this.text, index, this.atLineStart);
  }
}

/** Drops this many characters at the end of a text in pieces. */
function dropEnd(pieces: string[], length: number): void {
  while (length > 0 && pieces.length > 0) {
    const piece = pieces.pop()!;
    if (piece.length > length) pieces.push(piece.slice(0, -length));
    length -= piece.length;
  }
}
