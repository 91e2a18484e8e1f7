/**
 * The automaton for each state of the matcher. All patterns are derived from the rule, so its author writes one pattern
 * without guards, wrappers or examples inside values.
 *
 * The patterns of each state are compiled once, and all answers share their automaton states. The texts that patterns
 * refer to (a key, a fence) are bound last, which is cheap, because an answer can contain thousands of keys.
 *
 * @module
 */
import { Automaton, type Texts } from "../pattern/automaton.ts";
import { States } from "../pattern/determinize.ts";
import { type Alternative, Nfa } from "../pattern/nfa.ts";
import { choice, type Node } from "../pattern/node.ts";
import type { OfferedTools } from "../tool/offered.ts";
import type { CompiledRule } from "./compiled_rule.ts";
import { beforeLookAhead, replaceGroup, withoutGroups } from "./rewrite.ts";
import { innerCloser } from "./tagged_patterns.ts";

export type { Texts } from "../pattern/automaton.ts";

/** The reference to the names of the offered tools. Its space keeps it apart from the names in a rule. */
const OFFERED = " offered";

/** The highest number of cached automata, of their states, and of sets of names. */
const KEPT_MAXIMUM = 512;

/** The alternative of a region's closer, which comes before its rules. */
export const REGION_CLOSER = 0;

/** The sorted names that a request offers, with a number that identifies the set. */
interface OfferedNames {
  readonly number: number;
  readonly names: readonly string[];
}

/** The parts of an automaton: the name of its compiled patterns, and the texts bound to them. */
interface Parts {
  readonly what: string;
  readonly texts: Texts;
  readonly offered?: OfferedTools;
  readonly isOutsideWords?: true;
  readonly hasBegun?: boolean;
}

/** Creates and caches the automata of a program. */
export class Automata {
  readonly #rules: readonly CompiledRule[];
  /** The rules that make calls; only these are searched for inside regions. */
  readonly calling: readonly CompiledRule[];
  /** The reasoning that a prompt opens, which the closer of any such region ends; undefined if no rule describes it. */
  readonly prefilled: CompiledRule | undefined;
  /** The rules in that reasoning: calls, and at its start the opener of what the prompt didn't open after all. */
  readonly inPrefilled: readonly CompiledRule[];
  /** The compiled patterns, at most a few for each rule. */
  readonly #compiled = new Map<string, Nfa>();
  /** The states of compiled patterns, for each set of offered names. */
  readonly #states = new Map<string, States>();
  /** The automata: states that are bound to the texts of one answer. */
  readonly #kept = new Map<string, Automaton>();
  /** The sets of names that requests offer. There are few, because agents keep their tools. */
  readonly #namings = new Map<string, OfferedNames>();
  #namingCount = 0;
  readonly #namingOf = new WeakMap<OfferedTools, OfferedNames>();

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
    this.calling = rules.filter((rule) => rule.body.kind !== "opaque" && rule.body.kind !== "group");
    this.prefilled = prefilledOf(rules);
    this.inPrefilled = [...this.calling, ...rules.filter(beginsAnswer)];
  }

  /**
   * The openers of all rules. The index of an alternative is the rule's rank.
   *
   * @param options `hasBegun`: the answer has begun, so that rules that count only at its start never match; `closers`:
   * the closer of reasoning that nothing opened is the alternative after them
   */
  root(offered: OfferedTools, { hasBegun = false, closers = false } = {}): Automaton {
    const what = `root${offered.spellings ? "" : " of any"}${closers ? " and closers" : ""}`;
    return this.keep(
      { what, texts: {}, offered, isOutsideWords: true, hasBegun },
      () => [
        ...this.#rules.map((rule) => ({ ...openerOf(rule, offered), isFirst: isFirst(rule) })),
        ...closers && this.prefilled ? [{ node: this.prefilled.closer, priority: -1 }] : [],
      ],
    );
  }

  /** The closer of a region, followed by the openers of the rules in it. */
  region(
    rule: CompiledRule,
    rules: readonly CompiledRule[],
    { texts, offered }: { texts: Texts; offered: OfferedTools },
  ): Automaton {
    const what = `${rule.rank} ${offered.spellings ? "region" : "region of any"}`;
    return this.keep({ what, texts, offered }, () => [
      { node: rule.closer, priority: -1 },
      ...rules.map((inner) => openerOf(inner, offered)),
    ]);
  }

  /** The openers of the calls that the same wrapper can contain, including those of other rules. */
  inSameWrapper(rule: CompiledRule): Node {
    const closer = JSON.stringify(innerCloser(rule));
    const wrapper = JSON.stringify(rule.wrapperCloser);
    const rules = this.#rules.filter((other) =>
      other === rule || JSON.stringify(innerCloser(other)) === closer ||
      (rule.wrapperCloser !== undefined && JSON.stringify(other.wrapperCloser) === wrapper)
    );
    return choice(...rules.map(({ opener }) => withoutGroups(beforeLookAhead(opener))));
  }

  #naming(offered: OfferedTools): OfferedNames {
    const known = this.#namingOf.get(offered);
    if (known) return known;
    const { spellings = [] } = offered;
    const key = spellings.join("\n");
    const naming = this.#namings.get(key) ??
      { number: this.#namingCount++, names: [...new Set(spellings.flatMap(inOtherCase))].sort() };
    if (this.#namings.size >= KEPT_MAXIMUM) this.#namings.clear();
    this.#namings.set(key, naming);
    this.#namingOf.set(offered, naming);
    return naming;
  }

  /** The automaton of these parts, which is made if no answer has needed it. */
  keep({ what, texts, offered, isOutsideWords, hasBegun }: Parts, make: () => Alternative[]): Automaton {
    const nfa = this.#compiled.get(what) ?? new Nfa(make());
    this.#compiled.set(what, nfa);
    const naming = offered && nfa.names.includes(OFFERED) ? this.#naming(offered) : undefined;
    const shared = naming ? `${what} ${naming.number}` : what;
    let key = hasBegun ? `${shared}, begun` : shared;
    const bound: Record<string, string> = {};
    for (const name of nfa.names) {
      if (name === OFFERED) continue;
      const text = bound[name] = texts[name] ?? "";
      key += ` ${text.length}:${text}`;
    }
    return recall(this.#kept, key, () => {
      const sets = naming ? { [OFFERED]: naming.names } : {};
      return new Automaton(
        recall(this.#states, shared, () => new States(nfa, sets)),
        bound,
        isOutsideWords,
        hasBegun,
      );
    });
  }
}

/** Whether a rule is of reasoning, or of an answer that begins without any. */
function beginsAnswer({ body, begins }: CompiledRule): boolean {
  return body.kind === "opaque" && ["reasoning", "answer"].includes(body.region) && !isFirst({ begins });
}

/** Whether a rule counts only at the start of the answer, before its text. */
function isFirst({ begins }: Pick<CompiledRule, "begins">): boolean {
  return begins === "answer" || begins === "after_reasoning";
}

/** The region of the rules whose opener a prompt can contain. */
function prefilledOf(rules: readonly CompiledRule[]): CompiledRule | undefined {
  const opened = rules.filter(({ body }) => body.kind === "opaque" && body.region === "reasoning");
  const prefilled = opened.filter(({ body }) => body.kind === "opaque" && body.isPrefilled);
  const first = prefilled[0] ?? opened[0];
  if (prefilled.length <= 1 || first === undefined) return first;
  return {
    ...first,
    rank: rules.length,
    closer: choice(...prefilled.map(({ closer }) => withoutGroups(closer))),
  };
}

/**
 * A name, and how models write it in another case: `read_file`, `Read_File`, `Read_file`, `read_File`, `READ_FILE`. A single
 * word with a capital letter is more often a component in code.
 */
function inOtherCase(name: string): string[] {
  const [first = "", ...rest] = name.split("_");
  if (rest.length === 0) return [name, name.toUpperCase(), name.toLowerCase()];
  const others = rest.map(capitalized);
  return [
    name,
    [capitalized(first), ...others].join("_"),
    [capitalized(first), ...rest].join("_"),
    [first, ...others].join("_"),
    name.toUpperCase(),
    name.toLowerCase(),
  ];
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** Returns the cached value of a key, or creates it. The least recently used value is removed first. */
function recall<Kept>(kept: Map<string, Kept>, key: string, make: () => Kept): Kept {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > KEPT_MAXIMUM) kept.delete(kept.keys().next().value!);
  return value;
}

/**
 * A rule's opener. If tags look like HTML, only the names of offered tools can open a call, so every other tag fails at
 * its first different letter.
 */
function openerOf(rule: CompiledRule, offered: OfferedTools): Alternative {
  const { opener, priority } = rule;
  if (!rule.needsDeclaredKeys || !offered.spellings) return { node: opener, priority };
  const item: Node = { type: "reference", name: OFFERED };
  return { node: replaceGroup(opener, { name: "tool", item }), priority };
}
