/**
 * Finds texts that more than one rule reads: an example of one rule of which another rule alone makes a call too.
 *
 * Rules that read alike count as one, and only rules with an opener in an example read it, so the work grows with the
 * rules that overlap, up to a limit.
 *
 * @module
 */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { groupBy } from "../object/group.ts";
import { present } from "../object/present.ts";
import { compileRules } from "./compile.ts";
import { readOffer } from "./offer.ts";
import { readAnswer } from "./outcome.ts";
import type { LoadedRules } from "./read.ts";
import { readingKey } from "./same_reading.ts";
import type { Example, Rule } from "./schema.ts";
import type { Automaton, State } from "../pattern/automaton.ts";
import { END } from "../pattern/node.ts";
import type { Program } from "../scan/program.ts";
import type { OfferedTools } from "../tool/offered.ts";

/** The length of the shown part of a text that both rules read. */
const SHOWN = 60;

const NAMED = 3;

/** The highest number of examples that are read; overlaps that only further ones show stay unknown. */
const READINGS_MAXIMUM = 10_000;

interface OverlapOptions {
  readonly only: (rule: Rule) => boolean;
  /** Reads an example; default: `readAnswer`. */
  readonly read?: typeof readAnswer;
}

type Alike = readonly [Rule, ...Rule[]];

/** An example with what can read it. */
interface Text {
  readonly input: string;
  readonly offered: Example["offered"];
  /** The reading keys of the rules that have an opener in it. */
  readonly openedBy: ReadonlySet<string>;
}

/** Rules that read alike, and what else reads their examples. */
interface Target {
  readonly rules: Alike;
  readonly texts: readonly Text[];
  readonly others: Rule[];
  shown?: string;
}

/** A warning for the rules that read alike, with the other rules that are on and read one of their examples. */
export function findOverlaps(loaded: LoadedRules, { only, read = readAnswer }: OverlapOptions): Diagnostic[] {
  const targets = targetsIn(loaded, only);
  if (targets.length === 0) return [];
  const opaque = loaded.rules.filter((rule) => rule.enabled && rule.body === "opaque");
  const alike = alikeIn(loaded.rules.filter((rule) => rule.enabled && makesCalls(rule)));
  let readings = 0;
  for (const others of alike) {
    const key = readingKey(others[0]);
    const program = once(() => compileRules([others[0], ...opaque]).program);
    const isRead = byKey((text: Text) => {
      if (!text.openedBy.has(key) || readings >= READINGS_MAXIMUM) return false;
      readings++;
      const { offered } = readOffer(text.offered);
      return read(program(), { pieces: [text.input], offered }).calls.length > 0;
    });
    for (const target of targets) {
      const further = others.filter((rule) => rule.rule !== target.rules[0].rule);
      const text = further.length === 0 ? undefined : target.texts.find(isRead);
      if (text === undefined) continue;
      target.others.push(...further);
      target.shown ??= text.input;
    }
  }
  return [
    ...targets.filter(({ others }) => others.length > 0).map((target) => overlap(loaded, target)),
    ...(readings < READINGS_MAXIMUM ? [] : [tooMany()]),
  ];
}

function makesCalls({ body }: Rule): boolean {
  return body !== "opaque" && body !== "group";
}

/** Rules in groups of those that read alike. */
function alikeIn(rules: readonly Rule[]): Alike[] {
  const groups = groupBy(rules, readingKey);
  return [...groups.values()] as unknown as Alike[];
}

function targetsIn({ rules, program }: LoadedRules, only: (rule: Rule) => boolean): Target[] {
  const keys = new Map(rules.map((rule) => [rule.rule, readingKey(rule)]));
  const texts = new Map<string, Text>();
  const textOf = ({ input, offered: written }: Example): Text => {
    const key = JSON.stringify([input, written]);
    let text = texts.get(key);
    if (text === undefined) {
      const opened = rulesWithOpener(program, input, readOffer(written).offered);
      const openedBy = new Set([...opened].map((name) => keys.get(name) ?? ""));
      texts.set(key, text = { input, offered: written, openedBy });
    }
    return text;
  };
  return alikeIn(rules.filter((rule) => makesCalls(rule) && only(rule))).map((alike) => ({
    rules: alike,
    texts: [...new Set(alike.flatMap(({ examples }) => examples.map(textOf)))],
    others: [],
  }));
}

function overlap(loaded: LoadedRules, { rules: [rule], others, shown = "" }: Target): Diagnostic {
  const location = loaded.locate(rule.rule, ["pattern"]);
  const [winner, why] = winnerOf(rule, others);
  const text = shown.length > SHOWN ? `${shown.slice(0, SHOWN)}…` : shown;
  const all = others.length === 1 ? "both" : "all";
  return {
    code: "rules_overlap",
    severity: "warning",
    message: `${named(others)} what rule "${rule.rule}" reads`,
    ...present({ location }),
    help: `${all} read a call in ${JSON.stringify(text)}; ${winner} wins: ${why}`,
  };
}

/** `Rule "a" reads`, `Rules "a", "b", "c" and 4 more read`. */
function named(rules: readonly Rule[]): string {
  const names = rules.slice(0, NAMED).map(({ rule }) => `"${rule}"`);
  if (rules.length === 1) return `Rule ${names[0]} reads`;
  const more = rules.length - names.length;
  const last = more > 0 ? `${more} more` : names.pop();
  return `Rules ${names.join(", ")} and ${last} read`;
}

function winnerOf(rule: Rule, others: readonly Rule[]): readonly [string, string] {
  const all = [rule, ...others];
  const highest = Math.max(...all.map(({ confidence }) => confidence));
  const best = all.filter(({ confidence }) => confidence === highest);
  const more = others.length === 1 ? "more" : "the most";
  if (best.length === 1) return [`\`${best[0]!.rule}\``, `it is ${more} confident`];
  const equal = best.length < all.length ? `${best.length} are the most confident` : "";
  return [
    "the one with the longer opener",
    equal || `${all.length === 2 ? "both" : "all"} are equally confident`,
  ];
}

function tooMany(): Diagnostic {
  return {
    code: "rules_overlap",
    severity: "warning",
    message:
      `More than ${READINGS_MAXIMUM} examples could be read by other rules, so not all overlaps are known`,
    help: "check fewer rules at a time by specifying their files",
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Remembers the answer for each key. */
function byKey<Key, Value>(decide: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, decide(key));
    return known.get(key)!;
  };
}

/** The names of the rules whose opener matches anywhere in a text. Only these can read a call in it. */
export function rulesWithOpener(program: Program, text: string, offered: OfferedTools): ReadonlySet<string> {
  const automaton = program.automata.root(offered);
  const found = new Set<number>();
  let states = new Set<State>();
  for (let at = 0; at <= text.length; at++) {
    // The quotation decides what begins a line, so each position counts as one too.
    for (const start of [automaton.start(false), automaton.start(true)]) if (start) states.add(start);
    states = afterUnit(automaton, { states, unit: at < text.length ? text.charCodeAt(at) : END, found });
  }
  return new Set([...found].map((rank) => program.rules[rank]!.name));
}

function afterUnit(
  automaton: Automaton,
  { states, unit, found }: { states: ReadonlySet<State>; unit: number; found: Set<number> },
): Set<State> {
  const next = new Set<State>();
  for (const state of states) {
    const reached = automaton.step(state, unit);
    if (reached === null) continue;
    next.add(reached);
    for (const rank of reached.accepted) found.add(rank);
  }
  return next;
}
