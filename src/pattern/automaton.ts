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

const NO_TEXTS: Texts = {};

/** Many patterns as one automaton. */
export class Automaton {
  /** The priority of each alternative. */
  readonly priorities: readonly number[];
  /** ASCII characters that a search must look at: a match may begin there, at least at the start of a line. */
  readonly stops = new Uint8Array(128);
  /** The same of all others: the lowest of them. */
  readonly lowest: number;
  /** The highest of them. */
  readonly highest: number;
  /** What `captures.ts` remembers of short matches. */
  readonly remembered: Memory = new Map();
  readonly #states: States;
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
    let lowest = Infinity;
    let highest = -Infinity;
    for (const thread of this.#starts[1]?.threads ?? []) {
      for (const [from, to] of this.machine.characters(thread, texts)) {
        if (from < 128) this.stops.fill(1, from, Math.min(to, 127) + 1);
        if (to < 128) continue;
        lowest = Math.min(lowest, Math.max(from, 128));
        highest = Math.max(highest, to);
      }
    }
    this.lowest = lowest;
    this.highest = highest;
  }

  /** The machine that the states are made of. */
  get machine(): Machine {
    return this.#states.machine;
  }

  /** The state before the first character, or null if nothing can match. */
  start(atLineStart: boolean): State | null {
    return this.#starts[atLineStart ? 1 : 0];
  }

  /** The state after one more code unit (or END), or null if no pattern can match any more. */
  step(state: State, unit: number): State | null {
    return this.#states.step(state, unit, this.texts);
  }
}
