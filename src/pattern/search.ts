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
import { type Automaton, BREAK, STOP, type Stops } from "./automaton.ts";
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

/** A run begins only if this many characters fit: most runs would die within them. */
const BEGINNING_LENGTH = 3;

const NOTHING: Found = { type: "nothing" };
const CUT: Found = { type: "nothing", isCut: true };

/** One search; its runs go on where they stopped when more text has come. */
export class Search {
  readonly #runs: Runs;
  /** Whether the next character to read stands at the start of a line. */
  #atLineStart = false;
  /** Where in the answer a match was beginning when it ended. */
  cutAt: number | undefined;

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
      if (this.isAnchored) return this.cutAt !== undefined ? CUT : NOTHING;
    }
    return NOTHING;
  }

  /** Whether no match is beginning in what is consumed, and none begins in the text that follows it. */
  ignores(text: string, before: TextWindow): boolean {
    if (this.#runs.first || before.at < before.text.length || before.at === 0) return false;
    const line: Line = { floor: 0, atLineStart: before.atLineStart };
    const atLineStart = isLineStart(before.text, before.at, line);
    this.#atLineStart = atLineStart;
    if (this.#firstBeginning(text, 0, text.length) < 0) return true;
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
    runs.begin(this.#atLineStart);
    return true;
  }

  /** The first place where a match may begin, or -1. */
  #firstBeginning(text: string, from: number, to: number): number {
    for (let at = from; at < to; at++) {
      at = this.#firstStop(text, at, to);
      if (at < 0) return -1;
      if (this.#mayBegin(text, at)) return at;
      this.#pass(text.charCodeAt(at));
    }
    return -1;
  }

  /** The first character that may begin a match where it stands in its line, or -1. */
  #firstStop(text: string, from: number, to: number): number {
    const { stops: { ascii, lowest, highest }, lineStops } = this.automaton;
    let atLineStart = this.#atLineStart;
    let at = from;
    for (; at < to; at++) {
      const unit = text.charCodeAt(at);
      if (atLineStart) {
        if (isStop(lineStops, unit)) break;
        atLineStart = unit === 0x0a || unit === 0x20 || unit === 0x09;
        continue;
      }
      const kind = unit < 128 ? ascii[unit]! : unit >= lowest && unit <= highest ? STOP : 0;
      if (kind === STOP) break;
      atLineStart = kind === BREAK;
    }
    this.#atLineStart = atLineStart;
    return at < to ? at : -1;
  }

  /** A character is read: whether the next one stands at the start of a line. */
  #pass(unit: number): void {
    if (unit !== 0x20 && unit !== 0x09) this.#atLineStart = unit === 0x0a;
  }

  /** Reads until the earliest run is decided (true) or the text is at its end (false). */
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
    if (!this.isAnchored && runs.at > runs.latest && this.#mayBegin(text, at)) runs.begin(this.#atLineStart);
    runs.step(unit);
    this.#pass(unit);
  }

  /** Whether a match may begin at the next character, judged by it and a few that follow. */
  #mayBegin(text: string, at: number): boolean {
    const { automaton } = this;
    const atLineStart = this.#atLineStart;
    const unit = text.charCodeAt(at);
    if (!isStop(atLineStart ? automaton.lineStops : automaton.stops, unit)) return false;
    if (!automaton.mayBeginWith(unit, text.charCodeAt(at + 1), atLineStart)) return false;
    let state = automaton.start(atLineStart);
    const to = Math.min(at + BEGINNING_LENGTH, text.length);
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
