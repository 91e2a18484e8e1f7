/**
 * Determinizes a machine that follows many patterns at once, so that each character takes one step. A state is created
 * when a text first needs it and kept for later texts, so a badly written pattern costs limited memory and never time.
 * All answers share the states.
 *
 * @module
 */
import { Machine, NONE, type Sets, type Texts } from "./machine.ts";
import type { Nfa } from "./nfa.ts";

/** The state after a sequence of characters. Null means that no pattern can match. */
export interface State {
  /** The indexes of the alternatives that match the characters read. */
  readonly accepted: readonly number[];
  /** The best priority among the alternatives that can match more characters, or Infinity. */
  readonly open: number;
  /** The threads that wait for a character. */
  readonly threads: readonly number[];
  /** The threads inside a reference, whose next step depends on the search's texts. */
  readonly references: readonly number[];
  /** The next state for each class of characters; undefined if it isn't created yet. */
  readonly next: (State | null | undefined)[];
  /** The next state of a state with references, by class and by the outcome of each reference. */
  readonly forks: Map<number, State | null>;
}

/** The highest number of states. When it is reached, all are discarded and rebuilt as needed. */
export const STATES_MAXIMUM = 4096;

/** The outcomes of a reference for a character. */
const FAILS = 0;
const GOES_ON = 1;
const ENDS = 2;
const OUTCOMES = 3;

/** The states of one machine. */
export class States {
  /** The machine of the states. */
  readonly machine: Machine;
  readonly #bounds: Int32Array;
  /** The class of each ASCII character from 1, or 0 if it isn't known yet. Classes are numbered as texts need them. */
  readonly #ascii = new Uint16Array(128);
  readonly #classes: number[] = [];
  #classCount = 0;
  readonly #starts = new Map<string, State | null>();
  #states = new Map<string, State>();

  /**
   * Begins without states.
   *
   * @param nfa the program
   * @param sets the sorted texts of the patterns' sets
   */
  constructor(nfa: Nfa, sets: Sets = {}) {
    this.machine = new Machine(nfa, sets);
    this.#bounds = boundsOf(nfa, sets);
  }

  /** The number of states. */
  get size(): number {
    return this.#states.size;
  }

  /**
   * The state before the first character, or null if nothing can match.
   *
   * @param hasBegun the answer has begun, so alternatives that count only at its start don't match
   */
  start(atLineStart: boolean, texts: Texts, hasBegun = false): State | null {
    const { entries, laterEntries } = this.machine.nfa;
    const from = hasBegun ? laterEntries : entries;
    const key = (hasBegun ? "+" : "") + (atLineStart ? "^" : "") + this.#emptyTexts(texts);
    let start = this.#starts.get(key);
    if (start === undefined) this.#starts.set(key, start = this.#closure(from, { atLineStart, texts }));
    return start;
  }

  /** The state after one more code unit (or END), or null if no pattern can match. */
  step(state: State, unit: number, texts: Texts): State | null {
    const index = (unit < 128 ? this.#ascii[unit]! : 0) || this.#classOf(unit);
    if (state.references.length > 0) return this.#fork(state, { index, unit, texts });
    const next = state.next[index];
    return next === undefined ? state.next[index] = this.#make(state, unit, texts) : next;
  }

  #fork(state: State, options: { index: number; unit: number; texts: Texts }): State | null {
    const { unit, texts } = options;
    let key = options.index;
    for (const thread of state.references) {
      const to = this.machine.read(thread, unit, texts);
      key = key * OUTCOMES + (to === NONE ? FAILS : this.machine.isWhole(to, texts) ? ENDS : GOES_ON);
    }
    let next = state.forks.get(key);
    if (next === undefined) state.forks.set(key, next = this.#make(state, unit, texts));
    return next;
  }

  /** The class of a code unit; characters between the same two bounds have the same class. */
  #classOf(unit: number): number {
    let low = 0;
    let high = this.#bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#bounds[middle]! <= unit) low = middle + 1;
      else high = middle;
    }
    const index = this.#classes[low] ??= ++this.#classCount;
    if (unit < 128) this.#ascii[unit] = index;
    return index;
  }

  #make(state: State, unit: number, texts: Texts): State | null {
    const reached = state.threads.map((thread) => this.machine.read(thread, unit, texts)).filter((to) =>
      to !== NONE
    );
    return reached.length === 0 ? null : this.#closure(reached, { atLineStart: false, texts });
  }

  /** Follows all jumps from these threads and returns the state, which is created only once. */
  #closure(from: readonly number[], options: { atLineStart: boolean; texts: Texts }): State | null {
    const { machine } = this;
    const { texts } = options;
    const seen = new Set<number>();
    const stack = from.slice();
    const threads: number[] = [];
    const accepted: number[] = [];
    while (stack.length > 0) {
      const thread = stack.pop()!;
      if (seen.has(thread)) continue;
      seen.add(thread);
      const instruction = machine.at(thread);
      if (instruction?.op === "accept") accepted.push(instruction.alternative);
      else if (instruction?.op === "characters") threads.push(thread);
      else stack.push(...machine.jumps(thread, options));
      if (!instruction && machine.goesOn(thread, texts)) threads.push(thread);
    }
    if (threads.length === 0 && accepted.length === 0) return null;
    return this.#intern(threads, { accepted, texts });
  }

  /** A key of which references are empty. Such states stay separate, because a closure passes through an empty text. */
  #emptyTexts(texts: Texts): string {
    let key = "";
    for (const name of this.machine.nfa.names) key += texts[name] ? "1" : "0";
    return key;
  }

  #intern(threads: number[], options: { accepted: number[]; texts: Texts }): State {
    const { accepted, texts } = options;
    accepted.sort((a, b) => a - b);
    // A typed array sorts numbers without a function, and a first search sorts thousands.
    const key = `${new Int32Array(threads).sort().join()};${accepted.join()};${this.#emptyTexts(texts)}`;
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= STATES_MAXIMUM) this.#forget();
    const { machine } = this;
    const { nfa } = machine;
    const open = threads.reduce(
      (best, thread) => Math.min(best, nfa.priorities[nfa.owner(machine.instruction(thread))]!),
      Infinity,
    );
    const references = threads.filter((thread) => machine.isReference(thread));
    const state: State = { accepted, open, threads, references, next: [], forks: new Map() };
    this.#states.set(key, state);
    return state;
  }

  /** Discards all states. A running search keeps the states that it still uses. */
  #forget(): void {
    this.#states = new Map();
    // The start states link to every other state, so nothing would be freed without cutting their links.
    for (const state of this.#starts.values()) {
      if (!state) continue;
      state.next.length = 0;
      state.forks.clear();
    }
  }
}

/** The code units at which classes begin: those of the patterns, and every character of a set. */
function boundsOf(nfa: Nfa, sets: Sets): Int32Array {
  const bounds = new Set(nfa.bounds);
  for (const name of nfa.names) {
    for (const text of sets[name] ?? []) {
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        bounds.add(unit).add(unit + 1);
      }
    }
  }
  return new Int32Array(bounds).sort();
}
