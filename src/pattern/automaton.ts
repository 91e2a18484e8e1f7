/**
 * Patterns → one automaton that reads a text once. Its states are made when a text first needs them and kept for
 * the next text, so a pattern that a user wrote badly costs memory up to a limit, never time. The automaton is
 * shared by all answers; a running search only holds a state.
 *
 * @module
 */
import { END, type Node, type Ranges } from "./node.ts";

/** One pattern of an automaton. */
export interface Alternative {
  /** The pattern. */
  readonly node: Node;
  /** Which alternative wins at the same start: the lower number; of equal ones the longer match. */
  readonly priority: number;
}

/** What the automaton knows after a run of characters. Null stands for "no pattern can match any more". */
export interface State {
  /** The alternatives that match what was read so far, by their number. */
  readonly accepted: readonly number[];
  /** The best priority among the alternatives that could still match something longer; Infinity if none. */
  readonly open: number;
  /** The next state by class of character; undefined = not made yet. */
  readonly next: (State | null | undefined)[];
  /** The instructions that wait for a character. */
  readonly threads: Int32Array;
}

/** One instruction of the compiled patterns. */
export type Instruction =
  | { readonly op: "characters"; readonly ranges: Ranges }
  | { readonly op: "split"; readonly first: number; readonly second: number }
  | { readonly op: "jump"; readonly to: number }
  | { readonly op: "save"; readonly slot: string; readonly to: "start" | "end" }
  | { readonly op: "line_start" }
  | { readonly op: "accept"; readonly alternative: number };

/** The most states that are kept; when there are more, all are forgotten and made anew. */
export const STATES_MAXIMUM = 4096;

/** The name of the group that the mark of a pattern is saved under. */
export const MARK = " mark";

/** What is known of a pair of characters. */
const UNKNOWN = 0;
const ALIVE = 1;
const DEAD = 2;

/** Many patterns as one machine. */
export class Automaton {
  /** The compiled patterns. */
  readonly instructions: Instruction[] = [];
  /** The priority of each alternative. */
  readonly priorities: readonly number[];
  /** ASCII characters that a search must look at: a match may begin there, at least at the start of a line. */
  readonly stops = new Uint8Array(128);
  readonly #entries: number[] = [];
  readonly #saving: boolean[] = [];
  readonly #owner: number[] = [];
  readonly #bounds: Int32Array;
  readonly #ascii = new Uint16Array(128);
  readonly #starts: [State | null, State | null];
  /** What `mayBegin` has found out of two ASCII characters, in the middle of a line and at its start. */
  readonly #pairs = new Uint8Array(1 << 15);
  #states = new Map<string, State>();

  /** Compiles the patterns; an alternative is known by its place in the list. */
  constructor(alternatives: readonly Alternative[]) {
    this.priorities = alternatives.map((alternative) => alternative.priority);
    alternatives.forEach((alternative, index) => {
      this.#entries.push(this.instructions.length);
      emit(this.instructions, alternative.node);
      this.instructions.push({ op: "accept", alternative: index });
      const begin = this.#owner.length;
      while (this.#owner.length < this.instructions.length) this.#owner.push(index);
      this.#saving.push(this.instructions.slice(begin).some(({ op }) => op === "save"));
    });
    this.#bounds = boundsOf(this.instructions);
    for (let unit = 0; unit < 128; unit++) this.#ascii[unit] = this.#search(unit);
    this.#starts = [this.#closure(this.#entries, false), this.#closure(this.#entries, true)];
    for (let unit = 0; unit < 128; unit++) this.stops[unit] = this.#canBegin(unit, true) ? 1 : 0;
  }

  /** The state before the first character, or null if nothing can match. */
  start(atLineStart: boolean): State | null {
    return this.#starts[atLineStart ? 1 : 0];
  }

  /** Whether an alternative has groups or a mark: then its match has more to tell than where it ends. */
  saves(alternative: number): boolean {
    return this.#saving[alternative]!;
  }

  /** Where the instructions of an alternative begin. */
  entry(alternative: number): number {
    return this.#entries[alternative]!;
  }

  /** The state after one more code unit (or END), or null if no pattern can match any more. */
  step(state: State, unit: number): State | null {
    const index = unit < 128 ? this.#ascii[unit]! : this.#search(unit);
    const next = state.next[index];
    return next === undefined ? this.#make(state, index, unit) : next;
  }

  /** Whether a match may begin at a place of a text, judged by the two characters there. */
  mayBegin(text: string, at: number, atLineStart: boolean): boolean {
    const first = text.charCodeAt(at);
    const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 128;
    if (first >= 128 || second >= 128) return this.#canBegin(first, atLineStart);
    const index = (atLineStart ? 1 << 14 : 0) | first << 7 | second;
    const known = this.#pairs[index]!;
    if (known !== UNKNOWN) return known === ALIVE;
    const isAlive = this.#canBeginWith(first, { second, atLineStart });
    this.#pairs[index] = isAlive ? ALIVE : DEAD;
    return isAlive;
  }

  #canBegin(unit: number, atLineStart: boolean): boolean {
    const start = this.start(atLineStart);
    return start !== null && this.step(start, unit) !== null;
  }

  #canBeginWith(first: number, options: { second: number; atLineStart: boolean }): boolean {
    const start = this.start(options.atLineStart);
    const state = start && this.step(start, first);
    return state !== null && (state.accepted.length > 0 || this.step(state, options.second) !== null);
  }

  /** The class of a code unit: how many bounds lie at or below it. */
  #search(unit: number): number {
    let low = 0;
    let high = this.#bounds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#bounds[middle]! <= unit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #make(state: State, index: number, unit: number): State | null {
    const reached: number[] = [];
    for (const pc of state.threads) {
      const instruction = this.instructions[pc]!;
      if (instruction.op === "characters" && contains(instruction.ranges, unit)) reached.push(pc + 1);
    }
    return state.next[index] = reached.length === 0 ? null : this.#closure(reached, false);
  }

  /** Follows every jump from these instructions; the state is made only once. */
  #closure(from: readonly number[], atLineStart: boolean): State | null {
    const seen = new Set<number>();
    const stack = [...from];
    const threads: number[] = [];
    const accepted = new Set<number>();
    while (stack.length > 0) {
      const pc = stack.pop()!;
      if (seen.has(pc)) continue;
      seen.add(pc);
      const instruction = this.instructions[pc]!;
      switch (instruction.op) {
        case "split":
          stack.push(instruction.first, instruction.second);
          break;
        case "jump":
          stack.push(instruction.to);
          break;
        case "save":
          stack.push(pc + 1);
          break;
        case "line_start":
          if (atLineStart) stack.push(pc + 1);
          break;
        case "accept":
          accepted.add(instruction.alternative);
          break;
        case "characters":
          threads.push(pc);
      }
    }
    return threads.length === 0 && accepted.size === 0 ? null : this.#intern(threads, accepted);
  }

  #intern(threads: number[], accepted: ReadonlySet<number>): State {
    threads.sort((a, b) => a - b);
    const ends = [...accepted].sort((a, b) => a - b);
    const key = `${threads.join()};${ends.join()}`;
    const known = this.#states.get(key);
    if (known) return known;
    // States that a running search still holds stay whole: they live on as objects until it lets go of them.
    if (this.#states.size >= STATES_MAXIMUM) this.#forget();
    const state: State = {
      accepted: ends,
      open: Math.min(Infinity, ...threads.map((pc) => this.priorities[this.#owner[pc]!]!)),
      next: [],
      threads: Int32Array.from(threads),
    };
    this.#states.set(key, state);
    return state;
  }

  #forget(): void {
    this.#states = new Map();
    // The start states lead to every state ever made; cut their links, or nothing would be forgotten.
    for (const state of this.#starts) if (state) state.next.length = 0;
  }
}

/** Writes a pattern as instructions, in the order of preference that a regular expression has. */
function emit(code: Instruction[], node: Node): void {
  switch (node.type) {
    case "characters":
      code.push({ op: "characters", ranges: node.ranges });
      break;
    case "sequence":
      for (const item of node.items) emit(code, item);
      break;
    case "choice":
      emitChoice(code, node.items);
      break;
    case "repeat":
      emitRepeat(code, node);
      break;
    case "group":
      code.push({ op: "save", slot: node.name, to: "start" });
      emit(code, node.item);
      code.push({ op: "save", slot: node.name, to: "end" });
      break;
    case "line_start":
      code.push({ op: "line_start" });
      break;
    case "mark":
      code.push({ op: "save", slot: MARK, to: "start" });
      break;
    case "end":
      code.push({ op: "characters", ranges: [[END, END]] });
      break;
    case "reference":
    case "hole":
      throw new Error(`Cannot compile a ${node.type}: it must be bound or split first`);
  }
}

function emitChoice(code: Instruction[], items: readonly Node[]): void {
  const jumps: number[] = [];
  items.forEach((item, index) => {
    if (index === items.length - 1) return emit(code, item);
    const split = code.length;
    code.push({ op: "jump", to: 0 });
    emit(code, item);
    jumps.push(code.length);
    code.push({ op: "jump", to: 0 });
    code[split] = { op: "split", first: split + 1, second: code.length };
  });
  for (const jump of jumps) code[jump] = { op: "jump", to: code.length };
}

function emitRepeat(code: Instruction[], node: Extract<Node, { type: "repeat" }>): void {
  const split = (first: number, second: number): Instruction =>
    node.greedy ? { op: "split", first, second } : { op: "split", first: second, second: first };
  for (let count = 0; count < node.minimum; count++) emit(code, node.item);
  if (node.maximum === Infinity) {
    const loop = code.length;
    code.push({ op: "jump", to: 0 });
    emit(code, node.item);
    code.push({ op: "jump", to: loop });
    code[loop] = split(loop + 1, code.length);
    return;
  }
  const skips: number[] = [];
  for (let count = node.minimum; count < node.maximum; count++) {
    skips.push(code.length);
    code.push({ op: "jump", to: 0 });
    emit(code, node.item);
  }
  for (const skip of skips) code[skip] = split(skip + 1, code.length);
}

function contains(ranges: Ranges, unit: number): boolean {
  for (const [from, to] of ranges) if (unit >= from && unit <= to) return true;
  return false;
}

/** The places where some set of characters begins or ends: between two of them all characters are alike. */
function boundsOf(code: readonly Instruction[]): Int32Array {
  const bounds = new Set<number>();
  for (const instruction of code) {
    if (instruction.op !== "characters") continue;
    for (const [from, to] of instruction.ranges) bounds.add(from).add(to + 1);
  }
  return Int32Array.from([...bounds].sort((a, b) => a - b));
}
