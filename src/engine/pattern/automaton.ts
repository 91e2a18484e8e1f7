/** An automaton to search with: states that all searches share, and the texts of this search's references. @module */
import { type State, States } from "./determinize.ts";
import type { Machine, Texts } from "./machine.ts";
import { type Alternative, Nfa } from "./nfa.ts";

export type { State } from "./determinize.ts";
export type { Texts } from "./machine.ts";
export type { Alternative } from "./nfa.ts";

/** A match that dies within this many characters is remembered as a dead beginning. */
export const BEGINNING_LENGTH = 4;

/** The number of dead beginnings that are remembered; others are found again. */
const REMEMBERED = 4096;

/** The code of a character that isn't available; no text that has this character is remembered. */
const UNKNOWN = 127;

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
  /** The keys of beginnings of which no match has come, each in its slot; filled as texts need it. */
  dead?: Int32Array;
}

/** A match can begin at this character. */
export const STOP = 1;
/** A line ends, and other matches can begin at the start of the next line. */
export const BREAK = 2;

/** Many patterns as one automaton. */
export class Automaton {
  /** The priority of each alternative. */
  readonly priorities: readonly number[];
  readonly #states: States;
  readonly #hasBegun: boolean;
  /** The start states and their stops, which are made when a text first needs them. */
  #start: State | null | undefined;
  #lineStart: State | null | undefined;
  #stops: Stops | undefined;
  #lineStops: Stops | undefined;

  /**
   * Compiles patterns, or shares compiled ones.
   *
   * @param patterns the patterns, or the states that other searches share
   * @param texts the texts of the patterns' references
   * @param isOutsideWords a match that begins with a certain letter doesn't begin inside a word
   * @param hasBegun the answer has begun, so patterns that count only at its start don't match
   */
  constructor(
    patterns: States | readonly Alternative[],
    readonly texts: Texts = NO_TEXTS,
    readonly isOutsideWords = false,
    hasBegun = false,
  ) {
    this.#states = patterns instanceof States ? patterns : new States(new Nfa(patterns));
    this.priorities = this.machine.nfa.priorities;
    this.#hasBegun = hasBegun;
  }

  /** The characters at which a match can begin in the middle of a line. */
  get stops(): Stops {
    if (this.#stops) return this.#stops;
    const stops = this.#stops = this.#stopsOf(this.start(false));
    stops.ascii[0x0a] ||= BREAK;
    return stops;
  }

  /** The characters at which a match can begin at the start of a line. */
  get lineStops(): Stops {
    return this.#lineStops ??= this.#stopsOf(this.start(true));
  }

  #stopsOf(start: State | null): Stops {
    const ascii = new Uint8Array(128);
    const literal = new Uint8Array(128).fill(1, 0x41, 0x5b).fill(1, 0x61, 0x7b);
    let lowest = Infinity;
    let highest = -Infinity;
    start?.threads.forEach((thread) => {
      this.machine.characters(thread, this.texts).forEach(({ 0: from, 1: to }) => {
        if (from < 128) ascii.fill(STOP, from, Math.min(to, 127) + 1);
        if (from < Math.min(to, 127)) literal.fill(0, from, Math.min(to, 127) + 1);
        if (to < 128) return;
        lowest = Math.min(lowest, Math.max(from, 128));
        highest = Math.max(highest, to);
      });
    });
    return { ascii, lowest, highest, literal };
  }

  /** The machine of the states. */
  get machine(): Machine {
    return this.#states.machine;
  }

  /** The state before the first character, or null if nothing can match. */
  start(atLineStart: boolean): State | null {
    const start = atLineStart ? this.#lineStart : this.#start;
    if (start !== undefined) return start;
    const made = this.#states.start(atLineStart, this.texts, this.#hasBegun);
    return atLineStart ? this.#lineStart = made : this.#start = made;
  }

  /** The state after one more code unit (or END), or null if no pattern can match. */
  step(state: State, unit: number): State | null {
    return this.#states.step(state, unit, this.texts);
  }
}

/** The key of the characters at a position that can begin a match; absent ones are unknown. -1 if one isn't ASCII. */
export function beginningOf(text: string, at: number): number {
  let key = 1;
  for (let index = at; index < at + BEGINNING_LENGTH; index++) {
    const unit = index < text.length ? text.charCodeAt(index) : UNKNOWN;
    if (unit > UNKNOWN || (unit === UNKNOWN && index < text.length)) return -1;
    key = key << 7 | unit;
  }
  return key;
}

/** Whether it is known that no match begins with the characters of a key. */
export function isDead({ dead }: Stops, key: number): boolean {
  return dead !== undefined && dead[slotOf(key)] === key;
}

/** Remembers that no match begins with the characters of a key. */
export function remember(stops: Stops, key: number): void {
  if (key < 0) return;
  stops.dead ??= new Int32Array(REMEMBERED);
  stops.dead[slotOf(key)] = key;
}

function slotOf(key: number): number {
  return (Math.imul(key, 0x9e3779b1) >>> 16) % REMEMBERED;
}
