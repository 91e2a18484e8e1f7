/**
 * Looks for the first place in a growing text where one of an automaton's patterns matches. While a match may
 * still be beginning, the text from its start on must be held back: the earliest live run is all that is ever
 * held. Most characters cost one look in a table; those inside a run cost one step of the automaton.
 *
 *     pattern  <call \w>    text  if a < b: <call x>
 *                                      ^         dies at the next character
 *                                           ^^^^^^^^ a run: held until it matches or dies
 *
 * @module
 */
import type { Automaton } from "./automaton.ts";
import { END } from "./node.ts";
import { Runs } from "./runs.ts";

export { HELD_MAXIMUM } from "./runs.ts";

/** What a search says of the text so far. */
export type Found =
  /** Nothing in the text can begin a match; all of it may go. */
  | {
    readonly type: "nothing";
    /** For an anchored search: whether only the end of the text kept a match from going on. */
    readonly isCut?: true;
  }
  /** From `start` on a match may be beginning; more text decides. */
  | { readonly type: "held"; readonly start: number }
  /** An alternative matches from `start` to `end` (look-ahead included). */
  | {
    readonly type: "match";
    readonly alternative: number;
    readonly start: number;
    readonly end: number;
    readonly atLineStart: boolean;
  };

/** The text that is searched: what of the answer is at hand. */
export interface TextWindow {
  /** The text, never empty. */
  readonly text: string;
  /** Where in the answer the text begins. */
  readonly base: number;
  /** Where in the text to begin, unless a run is live. */
  readonly at: number;
  /** Whether the text's first character stands at the start of a line, before its indentation or behind it. */
  readonly atLineStart: boolean;
  /** Whether nothing will follow. */
  readonly isEnd: boolean;
}

/** A place of a text of which it is known whether it stands at the start of a line. */
export interface Line {
  /** The place, as an index into the text. */
  readonly floor: number;
  /** Whether it stands at the start of a line, before its indentation or behind it. */
  readonly atLineStart: boolean;
}

const NOTHING: Found = { type: "nothing" };
const CUT: Found = { type: "nothing", isCut: true };

/** One search; its runs go on where they stopped when more text has come. */
export class Search {
  readonly #runs: Runs;
  /** Whether the next character to read stands at the start of a line. */
  #atLineStart = false;
  /** Whether the earliest run was alive when the answer ended. */
  #isCut = false;

  /**
   * A search that has seen nothing yet.
   *
   * @param automaton the patterns to look for
   * @param isAnchored only a match that begins where the search begins counts
   */
  constructor(readonly automaton: Automaton, readonly isAnchored = false) {
    this.#runs = new Runs(automaton);
  }

  /** The alternative does not count at this start after all; the next `next` goes on without it. */
  refuse(alternative: number): void {
    this.#runs.refuse(alternative);
  }

  /** The first match, or what must be held; places are indexes into the window's text. */
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
      if (this.isAnchored) return this.#isCut ? CUT : NOTHING;
    }
    return NOTHING;
  }

  /** Whether no match is beginning in what is consumed, and none begins in the text that follows it. */
  ignores(text: string, before: TextWindow): boolean {
    if (this.#runs.first || before.at < before.text.length || before.at === 0) return false;
    if (this.#firstStop(text, 0, text.length) < 0) return true;
    const line: Line = { floor: 0, atLineStart: before.atLineStart };
    const atLineStart = isLineStart(before.text, before.at, line);
    // A run that this begins goes on when the text has come to the window.
    return this.next({ text, base: before.base + before.at, at: 0, atLineStart, isEnd: false }) === NOTHING;
  }

  /** Finds the next character that may begin a match. */
  #begin({ text, base, isEnd }: TextWindow): boolean {
    const runs = this.#runs;
    const from = runs.at - base;
    const at = this.#firstBeginning(
      text,
      from,
      this.isAnchored ? Math.min(from + 1, text.length) : text.length,
    );
    if (at < 0 && this.isAnchored && from < text.length) return false;
    runs.at = base + (at < 0 ? text.length : at);
    // The end of the answer may itself be what a pattern waits for.
    if (at < 0 && !(isEnd && runs.at > runs.latest && this.#canBeginAtEnd())) return false;
    this.#isCut = false;
    runs.begin(this.#atLineStart);
    return true;
  }

  /** The first place where a match may begin, or -1. */
  #firstBeginning(text: string, from: number, to: number): number {
    let floor = from;
    for (let at = from; at < to; at++) {
      const stop = this.#firstStop(text, at, to);
      at = stop < 0 ? to : stop;
      this.#atLineStart = isLineStart(text, at, { floor, atLineStart: this.#atLineStart });
      floor = at;
      if (at < to && this.#mayBegin(text, at)) return at;
    }
    return -1;
  }

  /** The first character that may begin a match at the start of a line, if not elsewhere, or -1. */
  #firstStop(text: string, from: number, to: number): number {
    const { stops, lowest, highest } = this.automaton;
    for (let at = from; at < to; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 128 ? stops[unit] === 1 : unit >= lowest && unit <= highest) return at;
    }
    return -1;
  }

  /** Reads until the earliest run is decided (true) or the text is at its end (false). */
  #read({ text, base, isEnd }: TextWindow): boolean {
    const runs = this.#runs;
    while (!runs.isDecided()) {
      const at = runs.at - base;
      if (at < text.length) this.#step(text, at);
      else if (!isEnd) return false;
      else this.#isCut = runs.end();
    }
    return true;
  }

  #step(text: string, at: number): void {
    const runs = this.#runs;
    const unit = text.charCodeAt(at);
    if (!this.isAnchored && runs.at > runs.latest && this.#mayBegin(text, at)) runs.begin(this.#atLineStart);
    runs.step(unit);
    if (unit !== 0x20 && unit !== 0x09) this.#atLineStart = unit === 0x0a;
  }

  /** Whether a match may begin at the next character, judged by it and the one after. */
  #mayBegin(text: string, at: number): boolean {
    const unit = text.charCodeAt(at);
    const { stops, lowest, highest } = this.automaton;
    if (unit < 128 ? stops[unit] === 0 : unit < lowest || unit > highest) return false;
    const start = this.automaton.start(this.#atLineStart);
    const state = start && this.automaton.step(start, unit);
    if (!state || state.accepted.length > 0 || at + 1 >= text.length) return state !== null;
    return this.automaton.step(state, text.charCodeAt(at + 1)) !== null;
  }

  #canBeginAtEnd(): boolean {
    const start = this.automaton.start(this.#atLineStart);
    return start !== null && this.automaton.step(start, END) !== null;
  }
}

/**
 * Whether a place stands at the start of a line, before its indentation or behind it.
 *
 * @param known an earlier place of the text of which it is known: no one looks further back
 */
export function isLineStart(text: string, at: number, known: Line): boolean {
  for (let before = at - 1; before >= known.floor; before--) {
    const unit = text.charCodeAt(before);
    if (unit !== 0x20 && unit !== 0x09) return unit === 0x0a;
  }
  return known.atLineStart;
}
