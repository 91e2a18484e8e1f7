/**
 * A machine that follows many patterns at once → states, one step for each character. A state is made when a text
 * first needs it and kept for the next text, so a pattern that a user wrote badly costs memory up to a limit,
 * never time. All answers share the states; a running search only holds some.
 *
 * @module
 */
import { Machine, type Sets, type Texts } from "./machine.ts";
import type { Nfa } from "./nfa.ts";

/** What is known after a run of characters. Null means that no pattern can match any more. */
export interface State {
  /** The alternatives that match what was read so far, by their number. */
  readonly accepted: readonly number[];
  /** The best priority among the alternatives that could still match something longer; Infinity if none. */
  readonly open: number;
  /** The threads that wait for a character. */
  readonly threads: readonly number[];
  /** Those of them that are inside a reference: where they go depends on the search's texts. */
  readonly references: readonly number[];
  /** The next state by class of character; undefined = not made yet. */
  readonly next: (State | null | undefined)[];
  /** The same for a state with references: by class and by what each of them does. */
  readonly forks: Map<number, State | null>;
}

/** The most states that are kept; when there are more, all are forgotten and made anew. */
export const STATES_MAXIMUM = 4096;

/** What a reference does with a character. */
const FAILS = 0;
const GOES_ON = 1;
const ENDS = 2;
const OUTCOMES = 3;

/** The states of one machine. */
export class States {
  /** What the states are made of. */
  readonly machine: Machine;
  readonly #bounds: readonly number[];
  /** Class by ASCII character, counted from 1; 0 = not asked for yet. Classes are numbered as texts need them. */
  readonly #ascii = new Uint16Array(128);
  readonly #classes: number[] = [];
  #classCount = 0;
  readonly #starts = new Map<string, State | null>();
  #states = new Map<string, State>();

  /**
   * No states yet: they are made as texts need them.
   *
   * @param nfa the program
   * @param sets the texts of the patterns' sets, sorted
   */
  constructor(nfa: Nfa, sets: Sets = {}) {
    this.machine = new Machine(nfa, sets);
    this.#bounds = boundsOf(nfa, sets);
  }

  /** How many states are kept. */
  get size(): number {
    return this.#states.size;
  }

  /** The state before the first character, or null if nothing can match. */
  start(atLineStart: boolean, texts: Texts): State | null {
    const { entries } = this.machine.nfa;
    const key = (atLineStart ? "^" : "") + this.#emptyTexts(texts);
    let start = this.#starts.get(key);
    if (start === undefined) this.#starts.set(key, start = this.#closure(entries, { atLineStart, texts }));
    return start;
  }

  /** The state after one more code unit (or END), or null if no pattern can match any more. */
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
      key = key * OUTCOMES + (to < 0 ? FAILS : this.machine.isWhole(to, texts) ? ENDS : GOES_ON);
    }
    let next = state.forks.get(key);
    if (next === undefined) state.forks.set(key, next = this.#make(state, unit, texts));
    return next;
  }

  /** The class of a code unit: characters between the same two bounds are alike. */
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
    const reached: number[] = [];
    for (const thread of state.threads) {
      const next = this.machine.read(thread, unit, texts);
      if (next >= 0) reached.push(next);
    }
    return reached.length === 0 ? null : this.#closure(reached, { atLineStart: false, texts });
  }

  /** Follows every jump from these threads; the state is made only once. */
  #closure(from: readonly number[], options: { atLineStart: boolean; texts: Texts }): State | null {
    const { machine } = this;
    const { atLineStart, texts } = options;
    const seen = new Set<number>();
    const stack = [...from];
    const threads: number[] = [];
    const accepted: number[] = [];
    while (stack.length > 0) {
      const thread = stack.pop()!;
      if (seen.has(thread)) continue;
      seen.add(thread);
      if (machine.isInside(thread)) {
        if (machine.isWhole(thread, texts)) stack.push(machine.instruction(thread) + 1);
        if (machine.goesOn(thread, texts)) threads.push(thread);
        continue;
      }
      const instruction = machine.nfa.instructions[thread]!;
      switch (instruction.op) {
        case "split":
          stack.push(instruction.first, instruction.second);
          break;
        case "jump":
          stack.push(instruction.to);
          break;
        case "text":
          stack.push(machine.enter(thread));
          break;
        case "save":
          stack.push(thread + 1);
          break;
        case "line_start":
          if (atLineStart) stack.push(thread + 1);
          break;
        case "accept":
          accepted.push(instruction.alternative);
          break;
        case "characters":
          threads.push(thread);
      }
    }
    if (threads.length === 0 && accepted.length === 0) return null;
    return this.#intern(threads, { accepted, texts });
  }

  /** Which references stand for the empty text. Their states lie apart: a closure goes through an empty text. */
  #emptyTexts(texts: Texts): string {
    let key = "";
    for (const name of this.machine.nfa.names) key += texts[name] ? "1" : "0";
    return key;
  }

  #intern(threads: number[], options: { accepted: number[]; texts: Texts }): State {
    const { accepted, texts } = options;
    threads.sort((a, b) => a - b);
    accepted.sort((a, b) => a - b);
    const key = `${threads.join()};${accepted.join()};${this.#emptyTexts(texts)}`;
    const known = this.#states.get(key);
    if (known) return known;
    if (this.#states.size >= STATES_MAXIMUM) this.#forget();
    const { machine } = this;
    const { priorities, owners } = machine.nfa;
    let open = Infinity;
    for (const thread of threads) {
      open = Math.min(open, priorities[owners[machine.instruction(thread)]!]!);
    }
    const references = threads.filter((thread) => machine.isReference(thread));
    const state: State = { accepted, open, threads, references, next: [], forks: new Map() };
    this.#states.set(key, state);
    return state;
  }

  /** States that a running search still holds live on as objects until it lets go of them. */
  #forget(): void {
    this.#states = new Map();
    // The start states lead to every state ever made; cut their links, or nothing would be forgotten.
    for (const state of this.#starts.values()) {
      if (!state) continue;
      state.next.length = 0;
      state.forks.clear();
    }
  }
}

/** Where characters begin to differ: in the patterns, and at every character of a set. */
function boundsOf(nfa: Nfa, sets: Sets): readonly number[] {
  const bounds = new Set(nfa.bounds);
  for (const name of nfa.names) {
    for (const text of sets[name] ?? []) {
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        bounds.add(unit).add(unit + 1);
      }
    }
  }
  return [...bounds].sort((a, b) => a - b);
}
