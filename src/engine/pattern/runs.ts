/**
 * Reads all live beginnings of a match together: each character is read once, regardless of how many matches can have
 * begun before it. Runs in the same state have the same future, so they share a lane and each step.
 *
 *     pattern  \s*<x    text  "   <x"    three runs, one lane: they begin at 0, 1, 2 and are all in "\s* or <"
 *
 * @module
 */
import type { Automaton, State } from "./automaton.ts";
import { END } from "./node.ts";

/** The longest run, in characters. Longer text doesn't match. */
export const HELD_MAXIMUM = 512;

/** An alternative that matches. */
export interface Match {
  /** The alternative's index. */
  readonly alternative: number;
  /** The end of the match, look-ahead included. */
  end: number;
}

/** A possible beginning of a match. */
interface Run {
  readonly start: number;
  readonly atLineStart: boolean;
  /** The position from which it shares its lane's matches. */
  since: number;
  /** The matches before that position. */
  readonly matches: Match[];
}

/** Runs in the same state, earliest first. */
interface Lane {
  /** The state, or null if no pattern can match. */
  state: State | null;
  runs: Run[];
  readonly matches: Match[];
}

/** The runs of one search. Positions are offsets in the answer. */
export class Runs {
  readonly #automaton: Automaton;
  #lanes: Lane[] = [];
  /** The lane of the earliest run. */
  #first: Lane | undefined;
  /** The alternatives that are refused for the earliest run. */
  #refused: number[] = [];
  /** The next character to read. */
  at = 0;
  /** The position of the latest run. */
  latest = -1;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  /** The earliest run. */
  get first(): { readonly start: number; readonly atLineStart: boolean } | undefined {
    return this.#first?.runs[0];
  }

  /** Begins a run at the next character. */
  begin(atLineStart: boolean): void {
    const run: Run = { start: this.at, atLineStart, since: this.at, matches: [] };
    const lane: Lane = { state: this.#automaton.start(atLineStart), runs: [run], matches: [] };
    this.#lanes.push(lane);
    this.#first ??= lane;
    this.latest = this.at;
  }

  /** Refuses an alternative for the earliest run. */
  refuse(alternative: number): void {
    this.#refused.push(alternative);
  }

  /** Whether no further character can change the match of the earliest run. */
  isDecided(): boolean {
    const lane = this.#first;
    if (!lane?.state || this.at - lane.runs[0]!.start >= HELD_MAXIMUM) return true;
    if (lane.matches.length === 0 && lane.runs[0]!.matches.length === 0) return false;
    const best = this.best();
    return best !== undefined && this.#automaton.priorities[best.alternative]! < lane.state.open;
  }

  /** The best match of the earliest run so far. */
  best(): Match | undefined {
    const lane = this.#first;
    if (!lane) return undefined;
    const run = lane.runs[0]!;
    let best: Match | undefined;
    for (const match of run.matches) best = this.#better(match, best);
    for (const match of lane.matches) if (match.end >= run.since) best = this.#better(match, best);
    return best;
  }

  #better(match: Match, best: Match | undefined): Match | undefined {
    if (this.#refused.includes(match.alternative)) return best;
    return best === undefined || this.#isBetter(match, best) ? match : best;
  }

  /** Reads one more character. */
  step(unit: number): void {
    this.at++;
    for (const lane of this.#lanes) {
      if (!lane.state) continue;
      lane.state = this.#automaton.step(lane.state, unit);
      this.#note(lane);
    }
    if (this.#lanes.length > 1) this.#fold();
  }

  /** Ends the answer and with it every run. Returns whether the earliest was still alive. */
  end(): boolean {
    const isCut = this.#first?.state !== null;
    for (const lane of this.#lanes) {
      if (!lane.state) continue;
      lane.state = this.#automaton.step(lane.state, END);
      this.#note(lane);
      lane.state = null;
    }
    return isCut;
  }

  /** Drops the earliest run. */
  drop(): void {
    this.#refused = [];
    this.#first?.runs.shift();
    if (this.#first?.runs.length === 0) this.#lanes.splice(this.#lanes.indexOf(this.#first), 1);
    this.#chooseFirst();
  }

  #note({ state, matches }: Lane): void {
    for (const alternative of state?.accepted ?? []) {
      const known = matches.find((match) => match.alternative === alternative);
      if (known) known.end = this.at;
      else matches.push({ alternative, end: this.at });
    }
  }

  /** Merges lanes that reached the same state. A dead lane stays only for its matches. */
  #fold(): void {
    const lanes = new Map<State, Lane>();
    const kept: Lane[] = [];
    for (const lane of this.#lanes) {
      if (!lane.state) {
        if (lane === this.#first || lane.runs.some((run) => hasMatch(lane, run))) kept.push(lane);
        continue;
      }
      const same = lanes.get(lane.state);
      if (same) this.#join(same, lane);
      else {
        lanes.set(lane.state, lane);
        kept.push(lane);
      }
    }
    if (kept.length === this.#lanes.length) return;
    this.#lanes = kept;
    this.#chooseFirst();
  }

  #join(lane: Lane, other: Lane): void {
    for (const run of other.runs) {
      for (const match of sharedMatches(other, run)) run.matches.push({ ...match });
      run.since = this.at;
    }
    const isInOrder = lane.runs.at(-1)!.start < other.runs[0]!.start;
    lane.runs.push(...other.runs);
    if (!isInOrder) lane.runs.sort((a, b) => a.start - b.start);
  }

  #chooseFirst(): void {
    this.#first = undefined;
    for (const lane of this.#lanes) {
      if (!this.#first || lane.runs[0]!.start < this.#first.runs[0]!.start) this.#first = lane;
    }
  }

  #isBetter(match: Match, than: Match): boolean {
    const { priorities } = this.#automaton;
    const difference = priorities[match.alternative]! - priorities[than.alternative]!;
    if (difference !== 0) return difference < 0;
    if (match.end !== than.end) return match.end > than.end;
    return match.alternative < than.alternative;
  }
}

/** The matches of a lane since a run joined it; they are the run's matches too, because the state is the same. */
function sharedMatches(lane: Lane, run: Run): Match[] {
  return lane.matches.filter(({ end }) => end >= run.since);
}

function hasMatch(lane: Lane, run: Run): boolean {
  return run.matches.length > 0 || sharedMatches(lane, run).length > 0;
}
