/**
 * Looks for the first place in a growing text where one of an automaton's patterns matches. While a match may
 * still be beginning, the text from its start on must be held back: that live run is all that is ever held.
 *
 * @module
 */
import type { Automaton, State } from "./automaton.ts";
import { END } from "./node.ts";

/** The longest run that is held back. What is longer is no match. */
export const HELD_MAXIMUM = 512;

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
export interface Window {
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

/** One search; its run goes on where it stopped when more text has come. Places are kept as offsets in the answer. */
export class Search {
  #start = -1;
  #at = 0;
  /** Whether the run that is live began at the start of a line. */
  #atLineStart = false;
  #state: State | null = null;
  /** Whether the run was alive when the text ended. */
  #isCut = false;
  readonly #matches: { alternative: number; end: number }[] = [];
  readonly #refused: number[] = [];

  /**
   * A search that has seen nothing yet.
   *
   * @param automaton the patterns to look for
   * @param isAnchored only a match that begins where the search begins counts
   */
  constructor(readonly automaton: Automaton, readonly isAnchored = false) {}

  /** The alternative does not count at this start after all; the next `next` goes on without it. */
  refuse(alternative: number): void {
    this.#refused.push(alternative);
  }

  /** The first match, or what must be held; places are indexes into the window's text. */
  next(window: Window): Found {
    const { base } = window;
    let from = window.at;
    let line: Line = { floor: 0, atLineStart: window.atLineStart };
    for (;;) {
      if (this.#start < 0 && !this.#begin(window, from, line)) return NOTHING;
      if (!this.#run(window)) return { type: "held", start: this.#start - base };
      const best = this.#best();
      const start = this.#start - base;
      if (best) {
        const { alternative } = best;
        return {
          type: "match",
          alternative,
          start,
          end: best.end - base,
          atLineStart: this.#atLineStart,
        };
      }
      from = start + 1;
      line = { floor: start, atLineStart: this.#atLineStart };
      this.#start = -1;
      if (this.isAnchored) return this.#isCut ? CUT : NOTHING;
    }
  }

  /** Whether no match is beginning in what is consumed, and none can begin in the text that follows it. */
  ignores(text: string, before: Window): boolean {
    if (this.#start >= 0 || before.at < before.text.length || before.at === 0) return false;
    const atLineStart = isLineStart(before.text, before.at, { floor: 0, atLineStart: before.atLineStart });
    return firstBeginning(this.automaton, { text, from: 0, to: text.length, floor: 0, atLineStart }) < 0;
  }

  /** Finds the next character that may begin a match. */
  #begin(window: Window, from: number, line: Line): boolean {
    const { text, base } = window;
    const stop = this.isAnchored ? Math.min(from + 1, text.length) : text.length;
    const at = firstBeginning(this.automaton, { text, from, to: stop, ...line });
    if (at >= 0) {
      this.#open(base + at, isLineStart(text, at, line));
      return true;
    }
    // The end of the answer may itself be what a pattern waits for.
    if (!window.isEnd || (this.isAnchored && from < text.length)) return false;
    const atLineStart = isLineStart(text, stop, line);
    const state = this.automaton.start(atLineStart);
    if (!state || !this.automaton.step(state, END)) return false;
    this.#open(base + stop, atLineStart);
    return true;
  }

  #open(at: number, atLineStart: boolean): void {
    this.#start = at;
    this.#at = at;
    this.#atLineStart = atLineStart;
    this.#state = this.automaton.start(atLineStart);
    if (this.#matches.length > 0) this.#matches.length = 0;
    if (this.#refused.length > 0) this.#refused.length = 0;
  }

  /** Runs until the best match is certain (true) or the text is at its end (false). */
  #run(window: Window): boolean {
    const { text, base } = window;
    const limit = Math.min(base + text.length, this.#start + HELD_MAXIMUM);
    while (this.#state) {
      if (this.#matches.length > 0 && this.#isSettled(this.#state)) return true;
      if (this.#at >= limit) return this.#stop(this.#state, window);
      this.#state = this.automaton.step(this.#state, text.charCodeAt(this.#at - base));
      if (this.#state) {
        this.#at++;
        if (this.#state.accepted.length > 0) this.#note(this.#state);
      }
    }
    return true;
  }

  /** The run is alive and the text, or what may be held of it, is at its end. */
  #stop(state: State, window: Window): boolean {
    const isTooLong = this.#at - this.#start >= HELD_MAXIMUM;
    if (!isTooLong) {
      if (!window.isEnd) return false;
      const last = this.automaton.step(state, END);
      if (last) this.#note(last);
      this.#isCut = true;
    }
    this.#state = null;
    return true;
  }

  #note(state: State): void {
    for (const alternative of state.accepted) {
      const known = this.#matches.find((match) => match.alternative === alternative);
      if (known) known.end = this.#at;
      else this.#matches.push({ alternative, end: this.#at });
    }
  }

  /** Whether nothing that is still alive could beat the best match so far. */
  #isSettled(state: State): boolean {
    const best = this.#best();
    return best !== undefined && this.automaton.priorities[best.alternative]! < state.open;
  }

  #best(): { alternative: number; end: number } | undefined {
    let best: { alternative: number; end: number } | undefined;
    for (const match of this.#matches) {
      if (this.#refused.includes(match.alternative)) continue;
      if (!best || this.#isBetter(match, best)) best = match;
    }
    return best;
  }

  #isBetter(
    match: { alternative: number; end: number },
    than: { alternative: number; end: number },
  ): boolean {
    const difference = this.automaton.priorities[match.alternative]! -
      this.automaton.priorities[than.alternative]!;
    if (difference !== 0) return difference < 0;
    if (match.end !== than.end) return match.end > than.end;
    return match.alternative < than.alternative;
  }
}

/** The first place where a match may begin, or -1. Most characters cost one look-up in a table. */
function firstBeginning(
  automaton: Automaton,
  options: { text: string; from: number; to: number } & Line,
): number {
  const { text, from, to } = options;
  let { floor, atLineStart } = options;
  const { stops } = automaton;
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 128 && stops[unit] === 0) continue;
    // What cannot begin at the start of a line cannot begin anywhere.
    if (!automaton.mayBegin(text, at, true)) continue;
    atLineStart = isLineStart(text, at, { floor, atLineStart });
    floor = at;
    if (automaton.mayBegin(text, at, atLineStart) && survives(automaton, text, { at, atLineStart })) {
      return at;
    }
  }
  return -1;
}

/** Whether a run from here is still alive, or has matched something, when the text or the limit is at its end. */
function survives(automaton: Automaton, text: string, from: { at: number; atLineStart: boolean }): boolean {
  let state = automaton.start(from.atLineStart);
  const end = Math.min(text.length, from.at + HELD_MAXIMUM);
  for (let at = from.at; at < end; at++) {
    state = state && automaton.step(state, text.charCodeAt(at));
    if (!state) return false;
    if (state.accepted.length > 0) return true;
  }
  return true;
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
