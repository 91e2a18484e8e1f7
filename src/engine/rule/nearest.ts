/**
 * Finds the rules whose opener a text comes nearest to: the part that fits, and what the rule expects next.
 *
 *     <function=read_file path="a">
 *     ^^^^^^^^^^^^^^^^^^^ fits the rule
 *                        ^ the rule expects `>` here
 *
 * @module
 */
import { type State, States } from "../pattern/determinize.ts";
import { Nfa } from "../pattern/nfa.ts";
import { isSpace, type Ranges } from "../pattern/node.ts";
import { isLineStart } from "../pattern/search.ts";
import { splitPattern } from "../pattern/split.ts";
import type { Rule } from "./schema.ts";

/** How far a text comes with one rule. */
export interface Near {
  readonly rule: Rule;
  /** Where in the text the opener begins. */
  readonly start: number;
  /** The first character that does not fit; the end of the opener if it is whole. */
  readonly at: number;
  readonly isWhole: boolean;
  /** What the rule expects at `at`, as a phrase; empty if the opener is whole. */
  readonly expected: string;
  /** The number of matched characters that are neither letters nor whitespace. */
  readonly marks: number;
}

/** The rest of a longer text is ignored. */
const TEXT_MAXIMUM = 64 * 1024;

const OPENER_MAXIMUM = 512;

/** Fewer characters of an opener match by chance. */
const LENGTH_MINIMUM = 5;

const NEEDS_LINE: ReadonlySet<Rule["begins"]> = new Set(["line", "paragraph", "answer"]);

export function nearestRules(rules: readonly Rule[], text: string): Near[] {
  const shown = text.slice(0, TEXT_MAXIMUM);
  return rules.filter(({ body }) => body !== "opaque")
    .flatMap((rule) => nearestPlace(rule, shown) ?? [])
    .filter(({ marks, start, at }) => marks > 0 && at - start >= LENGTH_MINIMUM)
    .sort((a, b) =>
      Number(b.isWhole) - Number(a.isWhole) || b.marks - a.marks || b.at - b.start - (a.at - a.start)
    );
}

/** The position in a text where the longest part of a rule's opener fits. */
function nearestPlace(rule: Rule, text: string): Near | undefined {
  const { split } = splitPattern(rule.pattern, "body");
  if (split === undefined) return undefined;
  const states = new States(new Nfa([{ node: split.opener, priority: 0 }]));
  let best: Near | undefined;
  for (let start = 0; start < text.length; start++) {
    const atLineStart = isLineStart(text, start, true);
    if (!atLineStart && NEEDS_LINE.has(rule.begins)) continue;
    const run = follow(states, { text, start, atLineStart });
    if (run === undefined) continue;
    const isBetter = !best || Number(run.isWhole) > Number(best.isWhole) ||
      (run.isWhole === best.isWhole && run.marks > best.marks);
    if (isBetter) best = { rule, start, ...run };
  }
  return best;
}

/** How much of an opener fits from one position; undefined if it doesn't begin there. */
function follow(
  states: States,
  { text, start, atLineStart }: { text: string; start: number; atLineStart: boolean },
): Omit<Near, "rule" | "start"> | undefined {
  let state = states.start(atLineStart, {});
  let isWhole = false;
  let marks = 0;
  for (let at = start; state; at++) {
    if (state.accepted.length > 0) isWhole = true;
    const next: State | null = at < Math.min(text.length, start + OPENER_MAXIMUM)
      ? states.step(state, text.charCodeAt(at), {})
      : null;
    if (!next) {
      if (at === start) return undefined;
      return { at, isWhole, marks, expected: isWhole ? "" : expectedBy(states, state) };
    }
    if (isMark(text.charCodeAt(at))) marks++;
    state = next;
  }
  return undefined;
}

/** What can come next: the text that has to follow, or a phrase of a few characters. */
function expectedBy(states: States, state: State): string {
  const text = onlyText(states, state);
  if (text !== "") return `\`${text}\``;
  const ranges = rangesAfter(states, state);
  const single = [...new Set(ranges.filter(([from, to]) => from === to).map(([from]) => from))];
  const characters = single.filter((unit) => !isSpace(unit)).map((unit) =>
    `\`${String.fromCharCode(unit)}\``
  );
  const kinds = [
    ...characters.slice(0, 4),
    ...(ranges.some((range) => includes(range, 0x61)) ? ["a letter"] : []),
    ...(ranges.some((range) => includes(range, 0x20)) ? ["whitespace"] : []),
  ];
  return kinds.length === 0 ? "another character" : kinds.join(" or ");
}

/** The text that has to follow, as far as one character at a time is possible. */
function onlyText(states: States, state: State): string {
  let text = "";
  let current: State | null = state;
  while (current !== null && text.length < TEXT_SHOWN && current.accepted.length === 0) {
    const units: number[] = rangesAfter(states, current).flatMap(([from, to]) =>
      from === to ? [from] : [from, to]
    );
    const [unit] = units;
    if (unit === undefined || units.some((other) => other !== unit) || isSpace(unit)) break;
    text += String.fromCharCode(unit);
    current = states.step(current, unit, {});
  }
  return text;
}

/** More of the text that has to follow isn't shown. */
const TEXT_SHOWN = 32;

function rangesAfter(states: States, state: State): Ranges[number][] {
  return state.threads.flatMap((thread) => [...states.machine.characters(thread, {})]);
}

function includes([from, to]: Ranges[number], unit: number): boolean {
  return from <= unit && unit <= to && from !== to;
}

function isMark(unit: number): boolean {
  const isLetter = (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
  const isDigit = unit >= 0x30 && unit <= 0x39;
  return !isLetter && !isDigit && !isSpace(unit) && !".,:;_/-".includes(String.fromCharCode(unit));
}
