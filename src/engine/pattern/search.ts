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
import {
  type Automaton,
  BEGINNING_LENGTH,
  beginningOf,
  isDead,
  remember,
  STOP,
  type Stops,
} from "./automaton.ts";
import { capture, type Captures } from "./captures.ts";
import { isLetter } from "./characters.ts";
import { END } from "./node.ts";
import { HELD_MAXIMUM, Runs } from "./runs.ts";

export { HELD_MAXIMUM };

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

/** A match of a search. */
export type Match = Extract<Found, { type: "match" }>;

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

/** A run begins only if this many characters fit, because most runs would die within them. */
const AHEAD_LENGTH = 24;

/** The same where text that was read far ahead is read again. */
const NEAR_LENGTH = 3;

/** Indexes of a text, without the last. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Whether a match can begin at a position: no, if more text fits, or yes. */
type Beginning = "none" | "open" | "begun";

const NOTHING: Found = { type: "nothing" };
const CUT: Found = { type: "nothing", isCut: true };

/** A search; its runs continue when more text arrives. */
export class Search {
  readonly #runs: Runs;
  #atLineStart = false;
  /** The offset in the answer at which a match can begin if more text fits; no run is live then. */
  #open = -1;
  /** The offset in the answer up to which `#beginning` read far ahead. */
  #ahead = 0;
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

  /** The offset in the answer up to which it read. */
  get offset(): number {
    return this.#runs.at;
  }

  /** Refuses the alternative at this start; the following `next` continues without it. */
  refuse(alternative: number): void {
    this.#runs.refuse(alternative);
  }

  /** The groups of a match in a text, and its end before a look-ahead. */
  capture(match: Match, text: string): Captures {
    const { alternative, end } = match;
    return capture(this.automaton, { alternative, text, span: match }) ?? { groups: {}, end };
  }

  /** The first match, or the start of the text to hold. Positions are indexes into the window's text. */
  next(window: TextWindow): Found {
    const { text, base } = window;
    const runs = this.#runs;
    if (!runs.first && this.#open < base + window.at) {
      runs.at = base + window.at;
      this.#atLineStart = isLineStart(text, window.at, window.atLineStart);
    } else if (!runs.first) runs.at = this.#open;
    this.#open = -1;
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
    return this.#open < 0 ? NOTHING : { type: "held", start: this.#open - base };
  }

  /** Whether no match is beginning in the consumed text and none begins in the text that follows it. */
  ignores(text: string, before: TextWindow): boolean {
    if (this.#runs.first || this.#open >= 0 || before.at < before.text.length || before.at === 0) {
      return false;
    }
    this.#atLineStart = isLineStart(before.text, before.at, before.atLineStart);
    const base = before.base + before.at;
    const range = { from: 0, to: text.length, base };
    const at = this.#firstBeginning(text, range, before.text.charCodeAt(before.at - 1));
    if (at < 0) return true;
    // The search goes on here when the window contains the text.
    this.#open = base + at;
    return false;
  }

  /** Finds the next character at which a match can begin. */
  #begin(window: TextWindow): boolean {
    const { text, base, isEnd } = window;
    const runs = this.#runs;
    const from = runs.at - base;
    const to = this.isAnchored ? Math.min(from + 1, text.length) : text.length;
    const at = this.#firstBeginning(text, { from, to, base }, previousOf(window, from));
    if (at < 0 && this.isAnchored && from < text.length) return false;
    runs.at = base + (at < 0 ? text.length : at);
    if (at >= 0 && !isEnd && this.#beginning(text, at, base) === "open") {
      this.#open = runs.at;
      return false;
    }
    // A pattern can match the end of the answer itself.
    if (at < 0 && !(isEnd && runs.at > runs.latest && this.#canBeginAtEnd())) return false;
    runs.begin(this.#atLineStart);
    return true;
  }

  /** The first index at which a match can begin, or -1. `previous`: the character before the first one. */
  #firstBeginning(text: string, { from, to, base }: Range & { base: number }, previous: number): number {
    for (let at = from; at < to; at++) {
      at = this.#firstStop(text, { from: at, to }, at > from ? text.charCodeAt(at - 1) : previous);
      if (at < 0) return -1;
      if (this.#beginning(text, at, base) !== "none") return at;
      this.#pass(text.charCodeAt(at));
    }
    return -1;
  }

  /** The first index whose character can begin a match at its position in the line, or -1. */
  #firstStop(text: string, { from, to }: Range, previous: number): number {
    const { stops, isOutsideWords } = this.automaton;
    const { ascii, literal } = stops;
    let atLineStart = this.#atLineStart;
    let at = from;
    for (; at < to; at++) {
      const unit = text.charCodeAt(at);
      if (atLineStart) {
        if (isStop(this.automaton.lineStops, unit)) break;
        atLineStart = unit === 0x0a || unit === 0x20 || unit === 0x09;
        continue;
      }
      if (unit >= 128) {
        if (isStop(stops, unit)) break;
        continue;
      }
      const kind = ascii[unit]!;
      if (kind === 0) continue;
      if (kind === STOP) {
        const isInWord = isOutsideWords && literal[unit] === 1 &&
          isLetter(at > from ? text.charCodeAt(at - 1) : previous);
        if (!isInWord && !isDead(stops, beginningOf(text, at))) break;
      }
      atLineStart = unit === 0x0a;
    }
    this.#atLineStart = atLineStart;
    return at < to ? at : -1;
  }

  #pass(unit: number): void {
    if (unit !== 0x20 && unit !== 0x09) this.#atLineStart = unit === 0x0a;
  }

  /** Reads until the earliest run is decided (true) or the text ends (false). */
  #read({ text, base, isEnd }: TextWindow): boolean {
    const runs = this.#runs;
    while (!runs.isDecided()) {
      const at = runs.at - base;
      if (at < text.length) this.#step(text, at, base);
      else if (!isEnd) return false;
      else if (runs.end() && runs.first!.start < runs.at) this.cutAt = runs.first!.start;
    }
    return true;
  }

  #step(text: string, at: number, base: number): void {
    const runs = this.#runs;
    const unit = text.charCodeAt(at);
    const canBegin = !this.isAnchored && runs.at > runs.latest && !this.#isInWord(text, at);
    if (canBegin && this.#beginning(text, at, base) !== "none") runs.begin(this.#atLineStart);
    runs.step(unit);
    this.#pass(unit);
  }

  /** Whether a word continues at an index after a run's beginning, where no match begins. */
  #isInWord(text: string, at: number): boolean {
    const { isOutsideWords, stops: { literal } } = this.automaton;
    return isOutsideWords && literal[text.charCodeAt(at)] === 1 && isLetter(text.charCodeAt(at - 1));
  }

  /**
   * Whether a match can begin at the next character, judged by the text that follows. Characters that are read far ahead
   * aren't read so again, or a pattern could make each of them be read many times.
   */
  #beginning(text: string, at: number, base: number): Beginning {
    const { automaton } = this;
    const atLineStart = this.#atLineStart;
    const stops = atLineStart ? automaton.lineStops : automaton.stops;
    if (!isStop(stops, text.charCodeAt(at))) return "none";
    const isFar = base + at >= this.#ahead && this.#runs.first === undefined;
    const length = isFar ? AHEAD_LENGTH : NEAR_LENGTH;
    let state = automaton.start(atLineStart);
    let index = at;
    let isMatch = false;
    for (const to = Math.min(at + length, text.length); index < to && state && !isMatch; index++) {
      state = automaton.step(state, text.charCodeAt(index));
      isMatch = state !== null && state.accepted.length > 0;
    }
    if (isMatch) return "begun";
    if (state) return index < at + length ? "open" : "begun";
    if (isFar) this.#ahead = base + index;
    if (index - at <= BEGINNING_LENGTH) remember(stops, beginningOf(text, at));
    return "none";
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

/**
 * Whether only indentation comes between the start of a line and a position.
 *
 * @param atLineStart the same for the beginning of the text
 */
export function isLineStart(text: string, at: number, atLineStart: boolean): boolean {
  for (let before = at - 1; before >= 0; before--) {
    const unit = text.charCodeAt(before);
    if (unit !== 0x20 && unit !== 0x09) return unit === 0x0a;
  }
  return atLineStart;
}

/**
 * Whether a pattern matches at an index, or undefined if more text decides. The line start counts as one, since a closer
 * that needs it can follow.
 */
export function matchesAt(automaton: Automaton, text: string, at: number): boolean | undefined {
  let state = automaton.start(true);
  for (let index = at; index < text.length && index - at < HELD_MAXIMUM; index++) {
    state = state && automaton.step(state, text.charCodeAt(index));
    if (!state) return false;
    if (state.accepted.length > 0) return true;
  }
  return undefined;
}
