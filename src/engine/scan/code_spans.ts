/**
 * The code spans of a paragraph, according to CommonMark: a run of backticks opens a span, the next run of the same
 * length closes it, and an unclosed run is text. Until the paragraph ends, an open span is only possible.
 *
 *     Use `a`` or ``b` and
 *         ^ 1, which only the last run can close: ` … ``b`
 *
 * Models also begin a fence after words on its line, which CommonMark reads as a run in a paragraph:
 *
 *     It prints: ```xml
 *     …
 *     ```               a run at the beginning of a line closes it, unless an info string follows
 *
 * @module
 */
import { runLength, trim } from "./line_prefix.ts";
import { settle, SpanWatch } from "./span_watch.ts";

/** A run of backticks that can open a span. */
interface Span {
  readonly length: number;
  /** Whether it is at the end of its line, like the beginning of a fence. */
  readonly isFence: boolean;
  /** Whether its paragraph continues, so that a run of the same length closes it. */
  readonly isInline: boolean;
}

/** The state after the text so far; immutable. */
export interface SpansState {
  readonly open: readonly Span[];
  readonly run: number;
  readonly isEscaped: boolean;
  readonly info: string | undefined;
}

const BACKTICK = "`";
const FENCE_MINIMUM = 3;
/** The highest number of open spans of different lengths; another one is text. */
const OPEN_MAXIMUM = 16;
const INFO_MAXIMUM = 32;

/** Tracks the inline text of paragraphs. */
export class CodeSpans {
  #open: readonly Span[] = [];
  /** The length of the run of backticks at the end of the text. */
  #run = 0;
  /** Whether a backslash precedes the next character. */
  #isEscaped = false;
  /** The text after a run that opened a span in this line, if it can be a fence's info string. */
  #info: string | undefined;
  /** The watches of open spans, in order. */
  #watches: SpanWatch[] = [];
  /** For each open span, the number of watches that began before it. */
  #before: number[] = [];

  get state(): SpansState {
    return { open: this.#open, run: this.#run, isEscaped: this.#isEscaped, info: this.#info };
  }

  restore(state: SpansState): void {
    this.#open = state.open;
    this.#run = state.run;
    this.#isEscaped = state.isEscaped;
    this.#info = state.info;
    this.#watches = [];
    this.#before = state.open.map(() => 0);
  }

  /** Whether anything is open that later text can close. */
  get isActive(): boolean {
    return this.#open.length > 0 || this.#run > 0;
  }

  /** Whether a fence that began after words can be open. */
  get hasFence(): boolean {
    return this.#open.some(({ isFence }) => isFence);
  }

  /** Whether a span can be open, assuming that the next character isn't a backtick. */
  get mayBeOpen(): boolean {
    this.#endRun();
    return this.#open.length > 0;
  }

  /** Reads more inline text without line ends. */
  feed(text: string): void {
    for (let at = 0; at < text.length;) {
      if (text[at] === BACKTICK) {
        this.#run++;
        at++;
        continue;
      }
      this.#endRun();
      const next = text.indexOf(BACKTICK, at);
      const end = next < 0 ? text.length : next;
      this.#pass(text.slice(at, end));
      at = end;
    }
  }

  /** Reads text without backticks. */
  #pass(text: string): void {
    if (this.#info !== undefined) {
      this.#info += text;
      if (this.#info.length > INFO_MAXIMUM) this.#info = undefined;
    }
    let backslashes = 0;
    while (text[text.length - 1 - backslashes] === "\\") backslashes++;
    const isOdd = backslashes % 2 === 1;
    this.#isEscaped = backslashes === text.length ? isOdd !== this.#isEscaped : isOdd;
  }

  #endRun(): void {
    const length = this.#run;
    if (length === 0) return;
    this.#run = 0;
    const isEscaped = this.#isEscaped;
    this.#isEscaped = false;
    this.#info = undefined;
    const closed = this.#open.findIndex((span) => span.isInline && span.length === length);
    if (closed >= 0) return this.#close(closed);
    // A backslash escapes the first backtick of a run that would open a span.
    const opening = isEscaped ? length - 1 : length;
    if (opening === 0 || this.#open.length >= OPEN_MAXIMUM) return;
    this.#open = [...this.#open, { length: opening, isFence: false, isInline: true }];
    this.#before.push(this.#watches.length);
    if (opening >= FENCE_MINIMUM) this.#info = "";
  }

  #close(index: number): void {
    this.#open = this.#open.slice(0, index);
    const [before = 0] = this.#before.splice(index);
    settle(this.#watches.splice(before), "closed");
  }

  endLine(): void {
    this.#endRun();
    this.#isEscaped = false;
    if (this.#info !== undefined && isInfo(trim(this.#info))) {
      this.#open = [...this.#open.slice(0, -1), { ...this.#open.at(-1)!, isFence: true }];
    }
    this.#info = undefined;
  }

  /** Whether a whole line closes a fence that began after words. */
  closesFence(line: string): boolean {
    if (this.#open.length === 0) return false;
    const text = trim(line);
    const length = runLength(text, 0, BACKTICK);
    const index = this.#open.findIndex((span) => span.isFence && span.length <= length);
    if (index < 0 || length < FENCE_MINIMUM || !endsFence(text.slice(length))) return false;
    this.#close(index);
    return true;
  }

  /** Ends the paragraph. Open spans are text, except a fence that began after words. */
  endParagraph(): void {
    this.endLine();
    if (this.#open.some(({ isInline }) => isInline)) this.#keepFences();
    if (this.#open.length === 0 && this.#watches.length > 0) settle(this.#watches.splice(0), "literal");
  }

  /** Keeps the fences that began after words. What is watched can be in the first of them. */
  #keepFences(): void {
    const before = this.#before;
    this.#before = before.filter((_, index) => this.#open[index]!.isFence);
    if (this.#before.length > 0) this.#before[0] = 0;
    this.#open = this.#open.flatMap((span) => span.isFence ? [{ ...span, isInline: false }] : []);
  }

  /** Ends the text. Open spans are text. */
  end(): void {
    this.endLine();
    this.#open = [];
    this.#before = [];
    this.endParagraph();
  }

  /** Watches the possibly open spans; the first outcome counts. */
  watch(): SpanWatch {
    const watch = new SpanWatch();
    this.#watches.push(watch);
    return watch;
  }
}

/** Whether a text after three backticks can be a fence's info string: empty or one word. */
function isInfo(text: string): boolean {
  return !text.includes(" ") && !text.includes("\t");
}

/**
 * Whether the text after a run at the beginning of a line lets the run end a fence. A word would be a new info string.
 */
function endsFence(rest: string): boolean {
  if (rest === "") return true;
  return !rest.includes(BACKTICK) && " \t.,;:!?)".includes(rest[0]!);
}
