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

/** This many lanes are compared with each other; more are found by their state. */
const FEW_LANES = 8;

interface Match {
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
  matches: readonly Match[];
}

/** Runs in the same state, earliest first. */
interface Lane {
  /** The state, or null if no pattern can match. */
  state: State | null;
  readonly runs: Run[];
  matches: readonly Match[];
}

/** Most runs die without a match. */
const NO_MATCHES: readonly Match[] = [];

/** The runs of one search. Positions are offsets in the answer. */
export class Runs {
  readonly #automaton: Automaton;
  readonly #lanes: Lane[] = [];
  #first: Lane | undefined;
  /** The alternatives that are refused for the earliest run. */
  #refused: number[] = [];
  /** The next character to read. */
  at = 0;
  latest = -1;

  constructor(automaton: Automaton) {
    this.#automaton = automaton;
  }

  get first(): { readonly start: number; readonly atLineStart: boolean } | undefined {
    return this.#first?.runs[0];
  }

  /** Begins a run at the next character. */
  begin(atLineStart: boolean): void {
    const run: Run = { start: this.at, atLineStart, since: this.at, matches: NO_MATCHES };
    const lane: Lane = { state: this.#automaton.start(atLineStart), runs: [run], matches: NO_MATCHES };
    this.#lanes.push(lane);
    this.#first ??= lane;
    this.latest = this.at;
  }

  refuse(alternative: number): void {
    this.#refused.push(alternative);
  }

  /** Whether no further character can change the match of the earliest run. */
  isDecided(): boolean {
    const lane = this.#first;
    if (!lane?.state || this.at - lane.runs[0]!.start >= HELD_MAXIMUM) return true;
    const best = this.best();
    return best !== undefined && this.#automaton.priorities[best.alternative]! < lane.state.open;
  }

  /** The best match so far of the earliest run, of which there is one. */
  best(): Match | undefined {
    const { matches, runs } = this.#first!;
    const run = runs[0]!;
    let best: Match | undefined;
    for (const match of run.matches) best = this.#better(match, best);
    for (const match of matches) if (match.end >= run.since) best = this.#better(match, best);
    return best;
  }

  #better(match: Match, best: Match | undefined): Match | undefined {
    const { priorities } = this.#automaton;
    if (this.#refused.includes(match.alternative)) return best;
    if (!best) return match;
    const byPriority = priorities[match.alternative]! - priorities[best.alternative]!;
    return (byPriority || best.end - match.end || match.alternative - best.alternative) < 0 ? match : best;
  }

  /** Reads one more character. */
  step(unit: number): void {
    this.at++;
    const lanes = this.#lanes;
    for (let index = 0; index < lanes.length; index++) {
      const lane = lanes[index]!;
      if (lane.state === null) continue;
      lane.state = this.#automaton.step(lane.state, unit);
      if (lane.state !== null && lane.state.accepted.length > 0) this.#note(lane);
    }
    if (lanes.length > 1 && needsFold(lanes)) this.#fold();
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

  drop(): void {
    this.#refused = [];
    const first = this.#first;
    first?.runs.shift();
    if (first?.runs.length === 0) this.#lanes.splice(this.#lanes.indexOf(first), 1);
    this.#chooseFirst();
  }

  #note(lane: Lane): void {
    for (const alternative of lane.state?.accepted ?? []) {
      const known = lane.matches.find((match) => match.alternative === alternative);
      if (known) known.end = this.at;
      else lane.matches = [...lane.matches, { alternative, end: this.at }];
    }
  }

  /** Merges lanes that reached the same state. A dead lane stays only for its matches. */
  #fold(): void {
    const lanes = this.#lanes;
    const byState = lanes.length > FEW_LANES ? new Map<State, Lane>() : undefined;
    let kept = 0;
    for (const lane of lanes) {
      const { state } = lane;
      if (state === null) {
        if (lane === this.#first || hasMatches(lane)) lanes[kept++] = lane;
        continue;
      }
      const same = byState ? byState.get(state) : laneIn(lanes, kept, state);
      if (same) this.#join(same, lane);
      else {
        lanes[kept++] = lane;
        byState?.set(state, lane);
      }
    }
    lanes.length = kept;
    this.#chooseFirst();
  }

  #join(lane: Lane, other: Lane): void {
    for (const run of other.runs) {
      if (other.matches.length > 0) run.matches = [...run.matches, ...sharedMatches(other, run)];
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
}

/** Copies of a lane's matches since a run joined it; they are the run's matches too, because the state is the same. */
function sharedMatches(lane: Lane, run: Run): Match[] {
  return lane.matches.filter(({ end }) => end >= run.since).map((match) => ({ ...match }));
}

function hasMatches(lane: Lane): boolean {
  return lane.runs.some((run) => run.matches.length > 0 || lane.matches.some(({ end }) => end >= run.since));
}

/** Whether lanes died or met. */
function needsFold(lanes: readonly Lane[]): boolean {
  if (lanes.length > FEW_LANES) return true;
  for (let index = 0; index < lanes.length; index++) {
    const { state } = lanes[index]!;
    if (state === null || laneIn(lanes, index, state)) return true;
  }
  return false;
}

/** The lane with a state among the first `count`. */
function laneIn(lanes: readonly Lane[], count: number, state: State): Lane | undefined {
  for (let index = 0; index < count; index++) if (lanes[index]!.state === state) return lanes[index];
  return undefined;
}
