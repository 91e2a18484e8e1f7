/**
 * Runs compiled patterns on characters. A thread is a number: an instruction, or a position in a text that the pattern
 * refers to. Such a text is one of two kinds:
 *
 *     </\k<key>>    a reference: each search supplies its text, so no key needs a machine of its own
 *     <{tool}>      a set: thousands of names, sorted; a position is the range of names that begin with the text so far
 *
 *         read_dir  read_file  run        after "r"      → read_dir … run
 *                                         after "rea"    → read_dir, read_file
 *                                         after "run"    → run, and the text is complete
 *
 * @module
 */
import type { Instruction, Nfa } from "./nfa.ts";
import type { Ranges } from "./node.ts";
import { present } from "../object/present.ts";

/** The text of each reference; a missing one is empty. */
export type Texts = Readonly<Record<string, string>>;

/** The sorted texts of each set. */
export type Sets = Readonly<Record<string, readonly string[]>>;

/** A position in the texts of an instruction. */
interface Place {
  readonly pc: number;
  readonly name: string;
  readonly depth: number;
  /** The range of the set's texts that begin with the characters read, `to` excluded. A reference has none. */
  readonly set?: { readonly texts: readonly string[]; readonly from: number; readonly to: number };
  readonly next: Map<number, number>;
}

/** No thread. */
export const NONE: number = -1;

/** Threads inside a text are the numbers below -1; instructions are those from 0. */
const FIRST_PLACE = -2;

/** The key in `next` for any character of a reference. */
const ANY = -1;

/** Reads characters. Both the lazy automaton and the captures use it. */
export class Machine {
  readonly #places: Place[] = [];
  readonly #beginnings = new Map<number, number>();

  /**
   * A machine for one program.
   *
   * @param nfa the program
   * @param sets the sorted texts of its sets
   */
  constructor(readonly nfa: Nfa, readonly sets: Sets = {}) {}

  /** The instruction of a thread, or the one whose texts the thread is in. */
  instruction(thread: number): number {
    return this.isInside(thread) ? this.#place(thread).pc : thread;
  }

  /** The thread after the texts that a thread is in. */
  after(thread: number): number {
    const instruction = this.nfa.at(this.instruction(thread));
    return instruction.op === "text" ? instruction.next : NONE;
  }

  /** Whether a thread is inside a text rather than at an instruction. */
  isInside(thread: number): boolean {
    return thread <= FIRST_PLACE;
  }

  /** Whether a thread is inside a text that each search supplies. */
  isReference(thread: number): boolean {
    return this.isInside(thread) && !this.#place(thread).set;
  }

  /** The thread at the beginning of an instruction's texts. */
  enter(pc: number): number {
    const known = this.#beginnings.get(pc);
    if (known !== undefined) return known;
    const instruction = this.nfa.at(pc);
    const name = instruction.op === "text" ? instruction.name : "";
    const texts = this.sets[name];
    const set = texts && { texts, from: 0, to: texts.length };
    const thread = this.#add({ pc, name, depth: 0, next: new Map(), ...present({ set }) });
    this.#beginnings.set(pc, thread);
    return thread;
  }

  /** The threads at which a thread goes on without a character, the preferred one last. */
  jumps(
    thread: number,
    { atLineStart, texts }: { readonly atLineStart: boolean; readonly texts: Texts },
  ): readonly number[] {
    if (this.isInside(thread)) return this.isWhole(thread, texts) ? [this.after(thread)] : [];
    const instruction = this.nfa.at(thread);
    switch (instruction.op) {
      case "split":
        return [instruction.second, instruction.first];
      case "text":
        return [this.enter(thread)];
      case "jump":
      case "save":
        return [instruction.next];
      case "line_start":
        return atLineStart ? [instruction.next] : [];
      default:
        return [];
    }
  }

  /** The instruction at which a thread is; undefined inside a text. */
  at(thread: number): Instruction | undefined {
    return this.isInside(thread) ? undefined : this.nfa.at(thread);
  }

  /** Whether a text ends at the thread's position. */
  isWhole(thread: number, texts: Texts): boolean {
    const { set, name, depth } = this.#place(thread);
    if (!set) return lengthOf(texts, name) === depth;
    return set.from < set.to && set.texts[set.from]!.length === depth;
  }

  /** Whether a text continues after the thread's position. */
  goesOn(thread: number, texts: Texts): boolean {
    const { set, name, depth } = this.#place(thread);
    if (!set) return lengthOf(texts, name) > depth;
    return set.from < set.to && set.texts[set.to - 1]!.length > depth;
  }

  /** The thread after a character, or `NONE`. */
  read(thread: number, unit: number, texts: Texts): number {
    if (!this.isInside(thread)) {
      const instruction = this.nfa.at(thread);
      return instruction.op === "characters" && contains(instruction.ranges, unit) ? instruction.next : NONE;
    }
    const place = this.#place(thread);
    if (place.set) return this.#next(place, unit);
    return texts[place.name]?.charCodeAt(place.depth) === unit ? this.#next(place, ANY) : NONE;
  }

  /** The characters with which a thread can continue. */
  characters(thread: number, texts: Texts): Ranges {
    if (!this.isInside(thread)) {
      const instruction = this.nfa.at(thread);
      return instruction.op === "characters" ? instruction.ranges : [];
    }
    const { set, name, depth } = this.#place(thread);
    if (!set) {
      const unit = texts[name]!.charCodeAt(depth);
      return [[unit, unit]];
    }
    const ranges: [number, number][] = [];
    for (let at = set.from; at < set.to;) {
      const unit = set.texts[at]!.charCodeAt(depth);
      if (!Number.isNaN(unit)) ranges.push([unit, unit]);
      at = endOf(set.texts, { from: at, to: set.to, depth, unit });
    }
    return ranges;
  }

  #place(thread: number): Place {
    return this.#places[FIRST_PLACE - thread]!;
  }

  #add(place: Place): number {
    return FIRST_PLACE + 1 - this.#places.push(place);
  }

  #next(place: Place, unit: number): number {
    const known = place.next.get(unit);
    if (known !== undefined) return known;
    const thread = this.#advance(place, unit);
    place.next.set(unit, thread);
    return thread;
  }

  #advance({ pc, name, depth, set }: Place, unit: number): number {
    const next = { pc, name, depth: depth + 1, next: new Map() };
    if (!set) return this.#add(next);
    const from = endOf(set.texts, { ...set, depth, unit: unit - 1 });
    const to = endOf(set.texts, { ...set, from, depth, unit });
    return from === to ? NONE : this.#add({ ...next, set: { texts: set.texts, from, to } });
  }
}

function lengthOf(texts: Texts, name: string): number {
  return texts[name]?.length ?? 0;
}

/** The end of the texts whose next character is at most `unit`. Texts that have ended come first. */
function endOf(
  texts: readonly string[],
  options: { from: number; to: number; depth: number; unit: number },
): number {
  const { depth, unit } = options;
  let low = options.from;
  let high = options.to;
  while (low < high) {
    const middle = (low + high) >> 1;
    const next = texts[middle]!.charCodeAt(depth);
    if (Number.isNaN(next) || next <= unit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function contains(ranges: Ranges, unit: number): boolean {
  for (let at = 0; at < ranges.length; at++) {
    if (unit >= ranges[at]![0] && unit <= ranges[at]![1]) return true;
  }
  return false;
}
