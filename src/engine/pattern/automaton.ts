/**
 * An automaton to search with: states that all searches share, and the texts of this search's references.
 *
 * @module
 */
import { type State, States } from "./determinize.ts";
import type { Machine, Texts } from "./machine.ts";
import { type Alternative, compile } from "./nfa.ts";

export type { State } from "./determinize.ts";
export type { Texts } from "./machine.ts";
export type { Alternative } from "./nfa.ts";

/** Pairs of characters below this one are cached by `mayBeginWith`. */
export const PAIRED = 128;
const YES = 1;
/** No match begins with these two characters. */
export const NO = 2;

const NO_TEXTS: Texts = {};

/** The characters at which a search must look closely, because a match can begin there. */
export interface Stops {
  /** `STOP`, `BREAK` or 0 for each ASCII character. */
  readonly ascii: Uint8Array;
  /** The lowest other character at which a match can begin, or Infinity. */
  readonly lowest: number;
  /** The highest other character at which a match can begin. */
  readonly highest: number;
  /** 1 for each letter that begins matches only as this very letter, never as one of a class. */
  readonly literal: Uint8Array;
  /** `NO` for each pair of ASCII characters with which no match begins; `mayBeginWith` fills it. */
  pairs?: Uint8Array;
}

/** A match can begin at this character. */
export const STOP = 1;
/** A line ends, and other matches can begin at the start of the next line. */
export const BREAK = 2;

/** Many patterns as one automaton. */
export class Automaton {
  /** The priority of each alternative. */
  readonly priorities: readonly number[];
  /** The characters at which a match can begin in the middle of a line. */
  readonly stops: Stops;
  /** The characters at which a match can begin at the start of a line. */
  readonly lineStops: Stops;
  readonly #states: States;
  readonly #starts: readonly [middle: State | null, line: State | null];

  /**
   * Compiles patterns, or shares compiled ones.
   *
   * @param patterns the patterns, or the states that other searches share
   * @param texts the texts of the patterns' references
   * @param isOutsideWords a match that begins with a certain letter doesn't begin inside a word
   */
  constructor(
    patterns: States | readonly Alternative[],
    readonly texts: Texts = NO_TEXTS,
    readonly isOutsideWords = false,
  ) {
    this.#states = patterns instanceof States ? patterns : new States(compile(patterns));
    this.priorities = this.machine.nfa.priorities;
    this.#starts = [this.#states.start(false, texts), this.#states.start(true, texts)];
    this.stops = this.#stopsOf(this.#starts[0]);
    this.lineStops = this.#stopsOf(this.#starts[1]);
    this.stops.ascii[0x0a] ||= BREAK;
  }

  #stopsOf(start: State | null): Stops {
    const ascii = new Uint8Array(128);
    const literal = new Uint8Array(128).fill(1, 0x41, 0x5b).fill(1, 0x61, 0x7b);
    let lowest = Infinity;
    let highest = -Infinity;
    for (const thread of start?.threads ?? []) {
      for (const [from, to] of this.machine.characters(thread, this.texts)) {
        if (from < 128) ascii.fill(STOP, from, Math.min(to, 127) + 1);
        if (from < Math.min(to, 127)) literal.fill(0, from, Math.min(to, 127) + 1);
        if (to < 128) continue;
        lowest = Math.min(lowest, Math.max(from, 128));
        highest = Math.max(highest, to);
      }
    }
    return { ascii, lowest, highest, literal };
  }

  /** The machine of the states. */
  get machine(): Machine {
    return this.#states.machine;
  }

  /** The state before the first character, or null if nothing can match. */
  start(atLineStart: boolean): State | null {
    return this.#starts[atLineStart ? 1 : 0];
  }

  /** Whether a match can begin with these two characters, the first of which is a stop. */
  mayBeginWith(unit: number, next: number, atLineStart: boolean): boolean {
    if (!(unit < PAIRED && next < PAIRED)) return true;
    const pairs = (atLineStart ? this.lineStops : this.stops).pairs ??= new Uint8Array(PAIRED * PAIRED);
    const known = pairs[unit * PAIRED + next]!;
    if (known !== 0) return known === YES;
    const first = this.start(atLineStart);
    const second = first && this.step(first, unit);
    const may = second !== null && (second.accepted.length > 0 || this.step(second, next) !== null);
    pairs[unit * PAIRED + next] = may ? YES : NO;
    return may;
  }

  /** The state after one more code unit (or END), or null if no pattern can match. */
  step(state: State, unit: number): State | null {
    return this.#states.step(state, unit, this.texts);
  }
}
