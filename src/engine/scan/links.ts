/**
 * The texts and targets of links and images on one line, according to CommonMark. A call inside one is quoted. Only the
 * text after a bracket decides whether it belongs to a link:
 *
 *     See [<read_file>…</read_file>](page.md) there.      a link's text
 *     See ![<read_file>…</read_file>][figure] there.      an image's description
 *     See [here](<<read_file>…</read_file>>) there.       a link's target
 *     I note [one: <read_file>…</read_file>               a bracket: the line ends first
 *
 * One pass reads a line, however many of its positions are watched: each open bracket knows which watches began inside
 * it.
 *
 * @module
 */
import { settle, SpanWatch } from "./span_watch.ts";

/** The highest number of open brackets in a line; a further one counts as a part of the innermost. */
const BRACKETS_MAXIMUM = 1024;

const BACKSLASH = 0x5c;
const OPENING = 0x5b;
const CLOSING = 0x5d;
const ROUND = 0x28;
const ROUND_CLOSING = 0x29;

/** The state after the text so far; immutable. */
export interface LinksState {
  readonly brackets: number;
  readonly target: number;
  readonly isClosed: boolean;
  readonly isEscaped: boolean;
  readonly read: number;
}

const NO_LINKS: LinksState = { brackets: 0, target: 0, isClosed: false, isEscaped: false, read: 0 };

export class Links {
  /** For each open square bracket, the number of watches that began before it. */
  #brackets: number[] = [];
  /** The number of open parentheses in a target; 0 outside a target. */
  #target = 0;
  /** Whether the previous character closed a square bracket. */
  #isClosed = false;
  #isEscaped = false;
  /** The number of characters of the line that were read; 0 until a position of the line is watched. */
  #read = 0;
  #inTexts: SpanWatch[] = [];
  #inTarget: SpanWatch[] = [];

  /** Whether the text that follows must be read. */
  get isActive(): boolean {
    return this.#read > 0;
  }

  get state(): LinksState {
    const isClosed = this.#isClosed;
    const isEscaped = this.#isEscaped;
    return { brackets: this.#brackets.length, target: this.#target, isClosed, isEscaped, read: this.#read };
  }

  /** Returns to an earlier state, without its watches. */
  restore({ brackets, target, isClosed, isEscaped, read }: LinksState): void {
    this.#brackets = Array.from({ length: brackets }, () => 0);
    this.#target = target;
    this.#isClosed = isClosed;
    this.#isEscaped = isEscaped;
    this.#read = read;
    this.#inTexts = [];
    this.#inTarget = [];
  }

  /**
   * Watches the link that can be open after the beginning of a line.
   *
   * @param line the beginning of the line, unless it was read
   * @returns undefined if there is none
   */
  watch(line: string): SpanWatch | undefined {
    if (this.#read === 0) {
      if (!line.includes("[")) return undefined;
      this.feed(line);
    }
    if (this.#target === 0 && this.#brackets.length === 0) return undefined;
    const watch = new SpanWatch();
    (this.#target > 0 ? this.#inTarget : this.#inTexts).push(watch);
    return watch;
  }

  feed(text: string): void {
    this.#read += text.length;
    for (let at = 0; at < text.length; at++) this.#step(text.charCodeAt(at));
  }

  /** Ends the line. Open links are text. */
  endLine(): void {
    if (this.#read === 0) return;
    settle(this.#inTexts, "literal");
    settle(this.#inTarget, "literal");
    this.restore(NO_LINKS);
  }

  #step(unit: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isClosed) this.#afterBracket(unit);
    else if (unit === BACKSLASH) this.#isEscaped = true;
    else if (this.#target > 0) this.#inTargetStep(unit);
    else this.#inText(unit);
  }

  #inText(unit: number): void {
    if (unit === OPENING) this.#openBracket();
    else if (unit === CLOSING && this.#brackets.length > 0) this.#isClosed = true;
  }

  #openBracket(): void {
    if (this.#brackets.length < BRACKETS_MAXIMUM) this.#brackets.push(this.#inTexts.length);
  }

  /** Reads the character after a bracket, which decides whether the bracket belongs to a link. */
  #afterBracket(unit: number): void {
    this.#isClosed = false;
    const before = this.#brackets.pop()!;
    if (unit === ROUND || unit === OPENING) settle(this.#inTexts.splice(before), "closed");
    else if (this.#brackets.length === 0) settle(this.#inTexts.splice(0), "literal");
    if (unit === ROUND) this.#target = 1;
    else this.#step(unit);
  }

  #inTargetStep(unit: number): void {
    if (unit === ROUND) this.#target++;
    else if (unit === ROUND_CLOSING && --this.#target === 0) settle(this.#inTarget.splice(0), "closed");
  }
}
