/** Captures the groups of a found match by a second, slower walk that follows all paths at once: linear, too. @module */
import type { Automaton } from "./automaton.ts";
import { NONE } from "./machine.ts";
import { MARK } from "./nfa.ts";
import { END } from "./node.ts";

/** The groups of one match. */
export interface Captures {
  /** The text of each group; groups that took no part are missing. */
  readonly groups: Readonly<Record<string, string>>;
  /** The end of the match, before a look-ahead. */
  readonly end: number;
}

/** The range of a match. */
export interface Span {
  /** The first character. */
  readonly start: number;
  /** The end, look-ahead included. */
  readonly end: number;
  /** Whether the match is at the start of a line. */
  readonly atLineStart: boolean;
}

/** One path through the instructions: its position, and the positions that it saved. */
interface Thread {
  readonly at: number;
  readonly saved: SavedPlace | null;
}

/** The positions saved on a path, latest first. */
interface SavedPlace {
  readonly slot: string;
  readonly to: "start" | "end";
  readonly at: number;
  readonly before: SavedPlace | null;
}

/** The longest span to cache. Openers and closers are mostly the same few texts. */
const REMEMBERED_LENGTH = 128;

/** The highest number of cached spans in an automaton. */
const REMEMBERED_MAXIMUM = 1024;

/** The captures of each automaton's short spans, with positions relative to the span's start. */
const REMEMBERED = new WeakMap<Automaton, Map<string, Captures | null>>();

const NO_GROUPS: Readonly<Record<string, string>> = Object.freeze(Object.create(null));

/**
 * Captures the groups of an alternative over a span that it matches.
 *
 * @returns undefined if the alternative doesn't match exactly this span
 */
export function capture(
  automaton: Automaton,
  options: { alternative: number; text: string; span: Span },
): Captures | undefined {
  const { alternative, span } = options;
  const { machine } = automaton;
  const remembered = rememberedBy(automaton);
  if (!machine.nfa.saves(alternative)) return { groups: NO_GROUPS, end: span.end };
  const text = options.text.slice(span.start, span.end);
  const isShort = text.length <= REMEMBERED_LENGTH;
  const key = isShort ? (span.atLineStart ? "^" : " ") + alternative + " " + text : "";
  let captures = isShort ? remembered.get(key) : undefined;
  if (captures === undefined) {
    captures = walk(automaton, { alternative, text, atLineStart: span.atLineStart }) ?? null;
    if (remembered.size >= REMEMBERED_MAXIMUM) remembered.clear();
    if (isShort) remembered.set(key, captures);
  }
  return captures === null ? undefined : { groups: captures.groups, end: captures.end + span.start };
}

function walk(
  automaton: Automaton,
  options: { alternative: number; text: string; atLineStart: boolean },
): Captures | undefined {
  const { alternative, text, atLineStart } = options;
  const { machine } = automaton;
  const run = new Run(automaton);
  let threads = run.follow([{ at: machine.nfa.entries[alternative]!, saved: null }], 0, atLineStart);
  for (let at = 0; at < text.length; at++) {
    threads = run.follow(run.read(threads, text.charCodeAt(at)), at + 1, false);
  }
  // A pattern can require the end of the answer, which isn't a character of the text.
  const thread = run.accepted(threads) ??
    run.accepted(run.follow(run.read(threads, END), text.length, false));
  return thread && collect(thread.saved, text, text.length);
}

/** Runs the machine; threads are in order of preference. */
class Run {
  constructor(readonly automaton: Automaton) {}

  follow(from: readonly Thread[], place: number, atLineStart: boolean): Thread[] {
    const { machine, texts } = this.automaton;
    const seen = new Set<number>();
    const stack = [...from].reverse();
    const threads: Thread[] = [];
    while (stack.length > 0) {
      const thread = stack.pop()!;
      const { at, saved } = thread;
      if (seen.has(at)) continue;
      seen.add(at);
      const instruction = machine.at(at);
      const waits = instruction
        ? instruction.op === "characters" || instruction.op === "accept"
        : machine.goesOn(at, texts);
      if (waits) threads.push(thread);
      const after = instruction?.op === "save"
        ? { slot: instruction.slot, to: instruction.to, at: place, before: saved }
        : saved;
      for (const next of machine.jumps(at, { atLineStart, texts })) stack.push({ at: next, saved: after });
    }
    return threads;
  }

  read(threads: readonly Thread[], unit: number): Thread[] {
    const { machine, texts } = this.automaton;
    const next: Thread[] = [];
    for (const { at, saved } of threads) {
      const to = machine.read(at, unit, texts);
      if (to !== NONE) next.push({ at: to, saved });
    }
    return next;
  }

  /** The most preferred thread that accepts. */
  accepted(threads: readonly Thread[]): Thread | undefined {
    const { machine } = this.automaton;
    return threads.find(({ at }) => machine.at(at)?.op === "accept");
  }
}

function collect(saved: SavedPlace | null, text: string, end: number): Captures {
  const groups: Record<string, string> = Object.create(null);
  const ends: Record<string, number> = Object.create(null);
  let mark = end;
  for (let place = saved; place; place = place.before) {
    if (place.slot === MARK) {
      // The first mark counts, because the look-ahead after it can contain further marks.
      mark = place.at;
    } else if (place.to === "end") {
      ends[place.slot] ??= place.at;
    } else if (!(place.slot in groups)) {
      groups[place.slot] = text.slice(place.at, ends[place.slot]);
    }
  }
  return { groups, end: mark };
}

function rememberedBy(automaton: Automaton): Map<string, Captures | null> {
  let remembered = REMEMBERED.get(automaton);
  if (remembered === undefined) REMEMBERED.set(automaton, remembered = new Map());
  return remembered;
}
