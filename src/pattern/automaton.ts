/**
 * Patterns that can be searched for: the states that all searches share, with the texts that the references of the
 * patterns stand for in this one.
 *
 * @module
 */
import type { Memory } from "./captures.ts";
import { type State, States } from "./determinize.ts";
import type { Machine, Texts } from "./machine.ts";
import { type Alternative, compile } from "./nfa.ts";

export type { State } from "./determinize.ts";
export type { Texts } from "./machine.ts";
export type { Alternative } from "./nfa.ts";

/** Pairs of characters under this one are remembered: whether a match may begin with them. */
const PAIRED = 128;
const YES = 1;
const NO = 2;

const NO_TEXTS: Texts = {};

/** Where a search has to look twice: a match may begin there. */
export interface Stops {
  /** By ASCII character: `STOP`, `BREAK` or 0. */
  readonly ascii: Uint8Array;
  /** The lowest of all other characters at which a match may begin; Infinity if there are none. */
  readonly lowest: number;
  /** The highest of them. */
  readonly highest: number;
}

/** A match may begin at this character. */
export const STOP = 1;
/** A line ends, and other matches may begin at the start of the next one. */
export const BREAK = 2;

/** Many patterns as one automaton. */
export class Automaton {
  /** The priority of each alternative. */
  readonly priorities: readonly number[];
  /** Where matches may begin in the middle of a line. */
  readonly stops: Stops;
  /** Where matches may begin at the start of a line. */
  readonly lineStops: Stops;
  /** What `captures.ts` remembers of short matches. */
  readonly remembered: Memory = new Map();
  readonly #states: States;
  /** What `mayBeginWith` knows, in the middle of a line and at its start. */
  readonly #pairs: [Uint8Array?, Uint8Array?] = [];
  readonly #starts: readonly [middle: State | null, line: State | null];

  /**
   * Compiles patterns, or shares what is compiled already.
   *
   * @param patterns the patterns, or their states where other searches share them
   * @param texts what the patterns' references stand for
   */
  constructor(patterns: States | readonly Alternative[], readonly texts: Texts = NO_TEXTS) {
    this.#states = patterns instanceof States ? patterns : new States(compile(patterns));
    this.priorities = this.machine.nfa.priorities;
    this.#starts = [this.#states.start(false, texts), this.#states.start(true, texts)];
    this.stops = this.#stopsOf(this.#starts[0]);
    this.lineStops = this.#stopsOf(this.#starts[1]);
    this.stops.ascii[0x0a] ||= BREAK;
  }

  #stopsOf(start: State | null): Stops {
    const ascii = new Uint8Array(128);
    let lowest = Infinity;
    let highest = -Infinity;
    for (const thread of start?.threads ?? []) {
      for (const [from, to] of this.machine.characters(thread, this.texts)) {
        if (from < 128) ascii.fill(STOP, from, Math.min(to, 127) + 1);
        if (to < 128) continue;
        lowest = Math.min(lowest, Math.max(from, 128));
        highest = Math.max(highest, to);
      }
    }
    return { ascii, lowest, highest };
  }

  /** The machine that the states are made of. */
  get machine(): Machine {
    return this.#states.machine;
  }

  /** The state before the first character, or null if nothing can match. */
  start(atLineStart: boolean): State | null {
    return this.#starts[atLineStart ? 1 : 0];
  }

  /** Whether a match may begin with these two characters, the first of which is a stop. */
  mayBeginWith(unit: number, next: number, atLineStart: boolean): boolean {
    if (!(unit < PAIRED && next < PAIRED)) return true;
    const pairs = this.#pairs[atLineStart ? 1 : 0] ??= new Uint8Array(PAIRED * PAIRED);
    const known = pairs[unit * PAIRED + next]!;
    if (known !== 0) return known === YES;
    const first = this.start(atLineStart);
    const second = first && this.step(first, unit);
    const may = second !== null && (second.accepted.length > 0 || this.step(second, next) !== null);
    pairs[unit * PAIRED + next] = may ? YES : NO;
    return may;
  }

  /** The state after one more code unit (or END), or null if no pattern can match any more. */
  step(state: State, unit: number): State | null {
    return this.#states.step(state, unit, this.texts);
  }
}
