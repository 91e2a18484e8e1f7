/**
 * Finds the first match of an automaton's patterns in a growing text. Only the text from the start of the earliest live
 * run is held, because a match can still begin there. Most characters cost one table lookup; those inside a run cost
 * one step of the automaton.
 *
 *     pattern  <call \w>    text  if a < b: <call x>
 *                                      ^         dies at the next character
 *                                           ^^^^^^^^ a run: held until it matches or dies
 *
 * @module
 */
import { type Automaton, NO, PAIRED, STOP, type Stops } from "./automaton.ts";
import { END } from "./node.ts";
import { Runs } from "./runs.ts";

export { HELD_MAXIMUM } from "./runs.ts";

/** The result of a search so far. */
export type Found =
  /** No match can begin in the text, so all of it can be sent. */
  | {
    readonly type: "nothing";
    /** For an anchored search: whether only the end of the text stopped a match. */
    readonly isCut?: true;
  }
  /** A match can begin at `start`; more text decides. */
  | { readonly type: "held"; readonly start: number }
  /** An alternative matches from `start` to `end`, look-ahead included. */
  | {
    readonly type: "match";
    readonly alternative: number;
    readonly start: number;
    readonly end: number;
    readonly atLineStart: boolean;
  };

/** The part of the answer that is available to search. */
export interface TextWindow {
  /** The text, never empty. */
  readonly text: string;
  /** The offset of the text in the answer. */
  readonly base: number;
  /** The index in the text to begin at, unless a run is live. */
  readonly at: number;
  /** Whether only indentation can come between the start of the line and the text's first character. */
  readonly atLineStart: boolean;
  /** The character before the text; 0 if none. */
  readonly previous?: number;
  /** The offset in the answer before which no word counts. */
  readonly wordFloor?: number;
  /** Whether the text is the last. */
  readonly isEnd: boolean;
}

/** A known position: whether it is at the start of a line. */
export interface Line {
  /** The index in the text. */
  readonly floor: number;
  /** Whether only indentation comes between the start of the line and the position. */
  readonly atLineStart: boolean;
}

/** A run begins only if this many characters fit, because most runs would die within them. */
const BEGINNING_LENGTH = 3;

/** The same for a match that begins with a word: fewer places begin one, and more words begin alike. */
const WORD_LENGTH = 8;

const NOTHING: Found = { type: "nothing" };
const CUT: Found = { type: "nothing", isCut: true };

/** A search; its runs continue when more text arrives. */
export class Search {
  readonly #runs: Runs;
  /** Whether the next character is at the start of a line. */
  #atLineStart = false;
  /** The offset in the answer at which a match was beginning when the answer ended. */
  cutAt: number | undefined;

  /**
   * A search that has read nothing.
   *
   * @param automaton the patterns to find
   * @param isAnchored only a match that begins where the search begins counts
   */
  constructor(readonly automaton: Automaton, readonly isAnchored = false) {
    this.#runs = new Runs(automaton);
  }

  /** Refuses the alternative at this start; the following `next` continues without it. */
  refuse(alternative: number): void {
    this.#runs.refuse(alternative);
  }

  /** The first match, or the start of the text to hold. Positions are indexes into the window's text. */
  next(window: TextWindow): Found {
    const { text, base } = window;
    const runs = this.#runs;
    if (!runs.first) {
      runs.at = base + window.at;
      this.#atLineStart = isLineStart(text, window.at, { floor: 0, atLineStart: window.atLineStart });
    }
    while (runs.first || this.#begin(window)) {
      const { start, atLineStart } = runs.first!;
      if (!this.#read(window)) return { type: "held", start: start - base };
      const best = runs.best();
      if (best) {
        const { alternative, end } = best;
        return { type: "match", alternative, start: start - base, end: end - base, atLineStart };
      }
      runs.drop();
      if (this.isAnchored) return this.cutAt !== undefined ? CUT : NOTHING;
    }
    return NOTHING;
  }

  /** Whether no match is beginning in the consumed text and none begins in the text that follows it. */
  ignores(text: string, before: TextWindow): boolean {
    if (this.#runs.first || before.at < before.text.length || before.at === 0) return false;
    const line: Line = { floor: 0, atLineStart: before.atLineStart };
    const atLineStart = isLineStart(before.text, before.at, line);
    this.#atLineStart = atLineStart;
    if (this.#firstBeginning(text, { from: 0, to: text.length }, before.text.charCodeAt(before.at - 1)) < 0) {
      return true;
    }
    // A run that begins here continues when the window contains the text.
    const base = before.base + before.at;
    const previous = before.text.charCodeAt(before.at - 1);
    return this.next({ text, base, at: 0, atLineStart, previous, isEnd: false }) === NOTHING;
  }

  /** Finds the next character at which a match can begin. */
  #begin(window: TextWindow): boolean {
    const { text, base, isEnd } = window;
    const runs = this.#runs;
    const from = runs.at - base;
    const to = this.isAnchored ? Math.min(from + 1, text.length) : text.length;
    const at = this.#firstBeginning(text, { from, to }, previousOf(window, from));
    if (at < 0 && this.isAnchored && from < text.length) return false;
    runs.at = base + (at < 0 ? text.length : at);
    // A pattern can match the end of the answer itself.
    if (at < 0 && !(isEnd && runs.at > runs.latest && this.#canBeginAtEnd())) return false;
    runs.begin(this.#atLineStart);
    return true;
  }

  /** The first index at which a match can begin, or -1. `previous`: the character before the first one. */
  #firstBeginning(text: string, { from, to }: { from: number; to: number }, previous: number): number {
    for (let at = from; at < to; at++) {
      at = this.#firstStop(text, { from: at, to }, at > from ? text.charCodeAt(at - 1) : previous);
      if (at < 0) return -1;
      if (this.#mayBegin(text, at)) return at;
      this.#pass(text.charCodeAt(at));
    }
    return -1;
  }

  /** The first index whose character can begin a match at its position in the line, or -1. */
  #firstStop(text: string, { from, to }: { from: number; to: number }, previous: number): number {
    const { stops, lineStops, isOutsideWords } = this.automaton;
    const { ascii, lowest, highest, literal, pairs } = stops;
    let atLineStart = this.#atLineStart;
    let at = from;
    for (; at < to; at++) {
      const unit = text.charCodeAt(at);
      if (atLineStart) {
        if (isStop(lineStops, unit)) break;
        atLineStart = unit === 0x0a || unit === 0x20 || unit === 0x09;
        continue;
      }
      if (unit >= 128) {
        if (unit >= lowest && unit <= highest) break;
        continue;
      }
      const kind = ascii[unit]!;
      if (kind === 0) continue;
      if (kind === STOP) {
        const isInWord = isOutsideWords && literal[unit] === 1 &&
          isLetter(at > from ? text.charCodeAt(at - 1) : previous);
        if (!isInWord && !(pairs && isPassed(pairs, unit, text.charCodeAt(at + 1)))) break;
      }
      atLineStart = unit === 0x0a;
    }
    this.#atLineStart = atLineStart;
    return at < to ? at : -1;
  }

  /** Updates whether the next character is at the start of a line. */
  #pass(unit: number): void {
    if (unit !== 0x20 && unit !== 0x09) this.#atLineStart = unit === 0x0a;
  }

  /** Reads until the earliest run is decided (true) or the text ends (false). */
  #read({ text, base, isEnd }: TextWindow): boolean {
    const runs = this.#runs;
    while (!runs.isDecided()) {
      const at = runs.at - base;
      if (at < text.length) this.#step(text, at);
      else if (!isEnd) return false;
      else if (runs.end() && runs.first!.start < runs.at) this.cutAt = runs.first!.start;
    }
    return true;
  }

  #step(text: string, at: number): void {
    const runs = this.#runs;
    const unit = text.charCodeAt(at);
    if (!this.isAnchored && runs.at > runs.latest && !this.#isInWord(text, at) && this.#mayBegin(text, at)) {
      runs.begin(this.#atLineStart);
    }
    runs.step(unit);
    this.#pass(unit);
  }

  /** Whether a word continues at an index after a run's beginning, where no match begins. */
  #isInWord(text: string, at: number): boolean {
    const { isOutsideWords, stops: { literal } } = this.automaton;
    return isOutsideWords && literal[text.charCodeAt(at)] === 1 && isLetter(text.charCodeAt(at - 1));
  }

  /** Whether a match can begin at the next character, judged by it and a few that follow. */
  #mayBegin(text: string, at: number): boolean {
    const { automaton } = this;
    const atLineStart = this.#atLineStart;
    const unit = text.charCodeAt(at);
    if (!isStop(atLineStart ? automaton.lineStops : automaton.stops, unit)) return false;
    if (!automaton.mayBeginWith(unit, text.charCodeAt(at + 1), atLineStart)) return false;
    let state = automaton.start(atLineStart);
    const isWord = automaton.isOutsideWords && automaton.stops.literal[unit] === 1;
    const to = Math.min(at + (isWord ? WORD_LENGTH : BEGINNING_LENGTH), text.length);
    for (let index = at; index < to && state; index++) {
      state = automaton.step(state, text.charCodeAt(index));
      if (state && state.accepted.length > 0) return true;
    }
    return state !== null;
  }

  #canBeginAtEnd(): boolean {
    const start = this.automaton.start(this.#atLineStart);
    return start !== null && this.automaton.step(start, END) !== null;
  }
}

function isStop({ ascii, lowest, highest }: Stops, unit: number): boolean {
  return unit < 128 ? ascii[unit] === STOP : unit >= lowest && unit <= highest;
}

/** The character before an index; 0 if no word continues there. */
function previousOf({ text, base, previous = 0, wordFloor = -1 }: TextWindow, at: number): number {
  if (base + at <= wordFloor) return 0;
  return at > 0 ? text.charCodeAt(at - 1) : previous;
}

/** Whether a character is an ASCII letter. */
function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a && unit < 128;
}

/** Whether it is known that no match begins with two characters. */
function isPassed(pairs: Uint8Array, unit: number, next: number): boolean {
  return next < PAIRED && pairs[unit * PAIRED + next] === NO;
}

/**
 * Whether only indentation comes between the start of a line and a position.
 *
 * @param known an earlier position whose place in its line is known; the function looks no further back
 */
export function isLineStart(text: string, at: number, known: Line): boolean {
  for (let before = at - 1; before >= known.floor; before--) {
    const unit = text.charCodeAt(before);
    if (unit !== 0x20 && unit !== 0x09) return unit === 0x0a;
  }
  return known.atLineStart;
}
