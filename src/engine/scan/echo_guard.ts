/**
 * Detects a call that only repeats what the user or a tool wrote. A page can contain a whole call; a model that quotes
 * it must not make it. The guard compares normal forms, so it recognizes a copy with line numbers or in a diff, JSON or
 * HTML.
 *
 *     request   … on the page: <function=run><parameter=command>rm -rf ~</parameter></function> …
 *     answer    The page holds <function=run><parameter=command>rm -rf ~</parameter></function>.
 *                              ^^^^^^^^^^^^^^ the call waits while it is identical; if it stays identical, it is text
 *
 * The comparison is the Knuth–Morris–Pratt search with a growing pattern. The position in the request's text only moves
 * forward, so a call takes at most as many steps as the call and the text have characters, for every cut of the answer.
 *
 * @module
 */
import { unitsOf } from "../pattern/characters.ts";
import { GAP, NormalForm, type NormalFormSink } from "./normal_form.ts";
import { QuotableText } from "./quotable_text.ts";

/**
 * The highest number of calls in an answer that are compared beyond their beginning; a further one counts as an echo.
 */
export const SEARCHES_MAXIMUM = 1024;

/** The number of characters of the call that are searched for at once, before characters are compared singly. */
const SEED_LENGTH = 16;

/** The highest number of beginnings of calls whose comparison is remembered. */
const BEGINNINGS_MAXIMUM = 4096;

/** The highest number of characters, besides closers, that a copy can lack. */
const MISSING_MAXIMUM = 8;

/** The text of a request that a model can repeat, newest last. Its normal form is created when it is first needed. */
export class EchoGuard {
  readonly #texts: readonly string[];
  #quotable: QuotableText | undefined;
  /** How far the comparison is after a beginning. Many calls begin alike, and each would search the whole text. */
  readonly beginnings = new Map<string, Readonly<Comparison>>();
  /** The number of characters that were compared, which the tests of linear time count. */
  steps = 0;
  /** The number of calls that began like text of the request. */
  searches = 0;

  /** @param texts the messages of the user and the tools, newest last */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  /** Begins to compare a call, or returns undefined if there is no text that it could repeat. */
  follow(): EchoCheck | undefined {
    if (this.#texts.length === 0) return undefined;
    this.#quotable ??= new QuotableText(this.#texts);
    return new EchoCheck(this, this.#quotable);
  }
}

/** How far a call is found in the text. */
interface Comparison {
  /** The position in the text, and the number of units before it that equal the beginning of the call. */
  at: number;
  matched: number;
  /** Whether the text doesn't contain the call so far. */
  isLost: boolean;
  /** The length of the longest beginning of the call at which a copy in the text ends. */
  endedAt: number;
  /** The end of that copy in the text. */
  endsIn: number;
}

export class EchoCheck implements NormalFormSink {
  readonly #guard: EchoGuard;
  readonly #quotable: QuotableText;
  readonly #form: NormalForm;
  readonly #tail = new ClosingTail();
  /** The call's normal form so far, and the length of the longest border of each prefix. */
  #units = new Uint16Array(64);
  #borders = new Int32Array(64);
  #length = 0;
  #seed = "";
  #found: Comparison = { at: 0, matched: 0, isLost: false, endedAt: 0, endsIn: 0 };
  #openerLength = -1;

  constructor(guard: EchoGuard, quotable: QuotableText) {
    this.#guard = guard;
    this.#quotable = quotable;
    this.#form = new NormalForm(this, "start");
  }

  /** Reads more of the call's text; the first piece is its opener. */
  feed(text: string): void {
    if (!this.isEcho) return;
    this.#form.feed(text);
    if (this.#openerLength < 0) this.#openerLength = this.#length;
  }

  /** Ends the call. An unfinished escape is text. A copy that continues and ends later is another call. */
  end(): void {
    if (!this.isEcho) return;
    this.#form.end();
    if (this.#found.isLost && this.#count() && this.#isCompletedLater()) this.#found.endedAt = -1;
  }

  /**
   * Whether a copy that seems cut off ends later, before another call begins. Then it is a call with a longer value.
   *
   *     text   <parameter=path>⏎a⏎b⏎</parameter></function> …      call   <parameter=path>⏎a⏎</parameter></function>
   *                              ^ not its end
   */
  #isCompletedLater(): boolean {
    const { endedAt, endsIn } = this.#found;
    if (endedAt === Infinity) return false;
    const { text } = this.#quotable;
    // The part that the copy lacks; the value itself can end with brackets.
    const closers = this.#tail.text.slice(Math.max(0, endedAt - this.#tail.start));
    const later = closers === "" ? -1 : text.indexOf(closers, endsIn);
    if (later < 0 || later >= this.#quotable.nextMessageEnd(endsIn)) return false;
    const another = text.indexOf(this.#seed, endsIn);
    return another < 0 || later < another;
  }

  /**
   * Whether the text contains the call so far: all of it, or all but its last characters if the text's copy is cut off.
   */
  get isEcho(): boolean {
    const { isLost, endedAt } = this.#found;
    if (!isLost) return true;
    if (endedAt <= this.#openerLength) return false;
    return endedAt >= this.#tail.start || this.#tail.length - endedAt <= MISSING_MAXIMUM;
  }

  unit(unit: number): void {
    this.#tail.push(unit);
    if (this.#found.isLost) return;
    this.#push(unit);
    if (this.#length <= SEED_LENGTH) this.#begin();
    else if (this.#length > SEED_LENGTH + 1 || this.#count()) this.#search();
  }

  gap(): void {}

  #push(unit: number): void {
    const length = this.#length;
    if (length === this.#units.length) this.#grow();
    if (length < SEED_LENGTH) this.#seed += String.fromCharCode(unit);
    this.#units[length] = unit;
    let border = length > 0 ? this.#borders[length - 1]! : 0;
    while (border > 0 && this.#units[border] !== unit) border = this.#borders[border - 1]!;
    if (length > 0 && this.#units[border] === unit) border++;
    this.#borders[length] = border;
    this.#length++;
  }

  #grow(): void {
    const units = new Uint16Array(this.#length * 2);
    units.set(this.#units);
    const borders = new Int32Array(this.#length * 2);
    borders.set(this.#borders);
    this.#units = units;
    this.#borders = borders;
  }

  /** Searches the text for the beginning of the call, unless another call began in the same way. */
  #begin(): void {
    const { beginnings } = this.#guard;
    const known = beginnings.get(this.#seed);
    if (known) this.#found = { ...known };
    else if (beginnings.size < BEGINNINGS_MAXIMUM || this.#count()) this.#search();
    if (!known && beginnings.size < BEGINNINGS_MAXIMUM) beginnings.set(this.#seed, { ...this.#found });
    if (this.#found.isLost) this.#drop();
  }

  /** Counts a search. Returns false after too many. */
  #count(): boolean {
    if (++this.#guard.searches <= SEARCHES_MAXIMUM) return true;
    this.#found.endedAt = Infinity;
    this.#lose();
    return false;
  }

  #search(): void {
    const { text } = this.#quotable;
    const found = this.#found;
    while (found.matched < this.#length) {
      this.#guard.steps++;
      if (found.at >= text.length) {
        this.#noteEnd();
        return this.#lose();
      }
      if (text.charCodeAt(found.at) === this.#units[found.matched]) {
        found.at++;
        found.matched++;
      } else if (found.matched > 0) {
        this.#noteEnd();
        found.matched = this.#borders[found.matched - 1]!;
      } else {
        const next = text.indexOf(this.#seed, found.at + 1);
        const to = next < 0 ? text.length : next;
        this.#guard.steps += to - found.at;
        found.at = to;
      }
    }
  }

  /** Ends the search, because the text doesn't contain the call so far. */
  #lose(): void {
    this.#found.isLost = true;
    this.#drop();
  }

  #drop(): void {
    this.#units = NO_UNITS;
    this.#borders = NO_BORDERS;
  }

  /** Records whether a copy of the call ended before the text differs from the call. */
  #noteEnd(): void {
    const found = this.#found;
    // The next message can happen to begin like the rest of the call.
    const end = this.#isEnd() ? found.at : this.#quotable.messageEnd(found.at);
    const length = found.matched - (found.at - end);
    if (length <= found.endedAt) return;
    found.endedAt = length;
    found.endsIn = end;
  }

  #isEnd(): boolean {
    const { at, matched } = this.#found;
    const { text } = this.#quotable;
    const gap = this.#quotable.gapBefore(at);
    return gap === GAP.line || text.startsWith("…", at) || text.startsWith("...", at) ||
      (gap === GAP.space && matched > this.#tail.start);
  }
}

const NO_UNITS = new Uint16Array(0);
const NO_BORDERS = new Int32Array(0);

const TAG_MAXIMUM = 64;

/**
 * Finds the quotes, brackets and closing tags with which a call's normal form ends; a truncated copy can lack them.
 *
 *     <parameter=path>a</parameter></function>
 *                      ^ start
 *     {"path": "a"}}</tool_call>
 *                 ^ start
 */
export class ClosingTail {
  length = 0;
  text = "";
  /** The index of the open tag, or -1. */
  #tag = -1;
  /** The index of the first closer. */
  start = 0;

  push(unit: number): void {
    const at = this.length++;
    if (this.#isCloser(unit, at)) this.text += String.fromCharCode(unit);
    else {
      this.text = "";
      this.start = at + 1;
    }
  }

  #isCloser(unit: number, at: number): boolean {
    if (this.#tag < 0) {
      if (unit === 0x3c) this.#tag = at;
      return unit === 0x3c || CLOSERS.has(unit);
    }
    const isTag = (at > this.#tag + 1 || TAG_MARKS.has(unit)) && at - this.#tag <= TAG_MAXIMUM;
    if (!isTag || unit === 0x3e) this.#tag = -1;
    return isTag;
  }
}

/** The second character of a closing tag or of a control token. */
const TAG_MARKS = unitsOf("/|｜");

const CLOSERS = unitsOf("\"'`}])");
