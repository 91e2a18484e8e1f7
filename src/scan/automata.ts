/**
 * Which patterns the matcher looks for in which state. Everything here is derived from the rule: its author writes
 * one pattern and never thinks of guards, wrappers or examples inside values.
 *
 * Patterns are compiled once for each state of a rule, and their states are shared by all answers. The texts that
 * they refer to (a key, a fence) are bound to them last, which costs little: an answer may hold thousands of keys.
 *
 * @module
 */
import { Automaton, type Texts } from "../pattern/automaton.ts";
import { States } from "../pattern/determinize.ts";
import { type Alternative, compile, type Nfa } from "../pattern/nfa.ts";
import { bind, choice, literal, type Node, sequence, spaces } from "../pattern/node.ts";
import type { OfferedTools } from "../tool/offered.ts";
import { another, required, wholeCloser } from "./ending.ts";
import type { Body, CompiledRule } from "./program.ts";
import { beforeLookAhead, rename, renameReferences, replaceGroup, withoutGroups } from "./rewrite.ts";

export type { Texts } from "../pattern/automaton.ts";

type Tagged = Extract<Body, { kind: "tagged" }>;

const MARK: Node = { type: "mark" };
const END: Node = { type: "end" };
/** Matches nothing at all. */
const NEVER: Node = { type: "characters", ranges: [] };

/** The reference to the names of the offered tools; no author can write this name. */
const OFFERED = " offered";

/** What stands before the names of an example's references, beside those of the call that holds it. */
const INNER = "inner ";

/** How many automata, their states, and sets of names are kept. */
const KEPT_MAXIMUM = 512;

/** Alternatives of `closing`: what may stand after a whole JSON value. */
export const CLOSING = { closer: 0, end: 1, opener: 2, brace: 3, another: 4 } as const;

/** Alternatives of `between`: what may stand between two items. Containers follow, opener and closer of each. */
export const BETWEEN = { item: 0, closer: 1, end: 2, container: 3 } as const;

/** Alternatives of `value`: what may end or nest in a value. */
export const VALUE = { closer: 0, frame: 1, item: 2 } as const;

/** Alternatives of `nested`: the same inside an example of a call that stands in a value. */
export const NESTED = { closer: 0, frame: 1, frameCloser: 2 } as const;

/** Alternatives of `nestedItem`. */
export const NESTED_ITEM = { closer: 0, opener: 1 } as const;

/** A region's closer comes first, then its rules. */
export const REGION_CLOSER = 0;

/** The names that a request offers, sorted, with a number to know them by. */
interface Naming {
  readonly number: number;
  readonly names: readonly string[];
}

/** What an automaton is made of: patterns that are compiled once under a name, and the texts bound to them. */
interface Parts {
  readonly what: string;
  readonly texts: Texts;
  readonly offered?: OfferedTools;
}

/** Makes and keeps the automata of a program. */
export class Automata {
  readonly #rules: readonly CompiledRule[];
  /** The rules that are looked for inside regions: those that make calls. */
  readonly calling: readonly CompiledRule[];
  /** Compiled patterns, at most a few for each rule. */
  readonly #compiled = new Map<string, Nfa>();
  /** Their states, for each set of offered names. */
  readonly #states = new Map<string, States>();
  /** The same with the texts of one answer. */
  readonly #kept = new Map<string, Automaton>();
  /** The sets of names that requests offered; few, since agents keep their tools. */
  readonly #namings = new Map<string, Naming>();
  #namingCount = 0;
  readonly #namingOf = new WeakMap<OfferedTools, Naming>();

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
    this.calling = rules.filter((rule) => rule.body.kind !== "opaque" && rule.body.kind !== "group");
  }

  /** The openers of all rules: alternative n is the rule of rank n. */
  root(offered: OfferedTools): Automaton {
    return this.#keep(
      { what: offered.spellings ? "root" : "root, every name", texts: {}, offered },
      () => this.#rules.map((rule) => openerOf(rule, offered)),
    );
  }

  /** The closer of a region, then the openers of the rules that are looked for in it. */
  region(
    rule: CompiledRule,
    rules: readonly CompiledRule[],
    { texts, offered }: { texts: Texts; offered: OfferedTools },
  ): Automaton {
    const what = `${rule.rank} ${offered.spellings ? "region" : "region, every name"}`;
    return this.#keep({ what, texts, offered }, () => [
      { node: rule.closer, priority: -1 },
      ...rules.map((inner) => openerOf(inner, offered)),
    ]);
  }

  /** The closer of a body that is plain text. */
  text(rule: CompiledRule, texts: Texts): Automaton {
    return this.#keep({ what: `${rule.rank} text`, texts }, () => [{ node: wholeCloser(rule), priority: 0 }]);
  }

  /** What may stand after a whole JSON value. */
  closing(rule: CompiledRule, texts: Texts): Automaton {
    return this.#keep({ what: `${rule.rank} closing`, texts }, () => [
      { node: sequence(spaces, required(wholeCloser(rule))), priority: 0 },
      { node: sequence(MARK, spaces, END), priority: 1 },
      { node: sequence(MARK, spaces, rule.opener), priority: 1 },
      { node: sequence(spaces, literal("}")), priority: 1 },
      { node: another(rule), priority: 1 },
    ]);
  }

  /** What may stand between two items of a tagged body. */
  between(rule: CompiledRule, body: Tagged, texts: Texts, isWrapped: boolean): Automaton {
    return this.#keep({ what: `${rule.rank} between${isWrapped ? " wrapped" : ""}`, texts }, () => [
      { node: sequence(spaces, body.itemOpener), priority: 1 },
      { node: sequence(spaces, this.#frameCloser(rule, { isWrapped, hasMarks: true })), priority: 0 },
      { node: sequence(MARK, spaces, END), priority: 2 },
      ...body.containers.flatMap((name) => [
        { node: sequence(spaces, rename(body.itemOpener, name)), priority: 0 },
        { node: sequence(spaces, bind(closerOf(body), { key: name })), priority: 0 },
      ]),
    ]);
  }

  /**
   * What ends a value. Its closer counts only if white space and then an item, a container, the frame's closer
   * or the end follows; a whole frame inside the value is an example and belongs to it.
   */
  value(
    rule: CompiledRule,
    body: Tagged,
    texts: Texts,
    { isWrapped, form }: { isWrapped: boolean; form: number },
  ): Automaton {
    return this.#keep({ what: `${rule.rank} value${isWrapped ? " wrapped" : ""} ${form}`, texts }, () => {
      const follows = choice(
        body.itemOpener,
        this.#frameCloser(rule, { isWrapped, hasMarks: false }),
        ...body.containers.map((name) => bind(closerOf(body), { key: name })),
        END,
      );
      return [
        { node: sequence(closerOf(body, form), MARK, spaces, follows), priority: 0 },
        frameOpener(rule, body),
        { node: sequence(literal("\n"), MARK, body.itemOpener), priority: 0 },
      ];
    });
  }

  /** The same inside an example of a call: only at the very end of the answer a closer is the call's own. */
  nested(
    rule: CompiledRule,
    body: Tagged,
    texts: Texts,
    options: { isWrapped: boolean; form: number; inner: Texts },
  ): Automaton {
    const { isWrapped, form, inner } = options;
    const all: Record<string, string> = { ...texts };
    for (const name in inner) all[INNER + name] = inner[name]!;
    const what = `${rule.rank} nested${isWrapped ? " wrapped" : ""} ${form}`;
    return this.#keep({ what, texts: all }, () => {
      const own = rule.wrapperCloser && isWrapped
        ? sequence(rule.closer, rule.wrapperCloser)
        : beforeLookAhead(wholeCloser(rule));
      return [
        { node: sequence(closerOf(body, form), MARK, spaces, own, spaces, END), priority: 0 },
        frameOpener(rule, body),
        { node: renameReferences(wholeCloser(rule), INNER), priority: 0 },
      ];
    });
  }

  /** What ends an item that stands in a value, and what opens another one in it. */
  nestedItem(rule: CompiledRule, body: Tagged, texts: Texts): Automaton {
    return this.#keep({ what: `${rule.rank} nested item`, texts }, () => [
      { node: closerOf(body), priority: 0 },
      { node: body.itemOpener, priority: 0 },
    ]);
  }

  /**
   * The frame's closer. Where the opener took the wrapper with it, the closer counts only if the wrapper's closer,
   * the next call or the end follows. The next call may be written as another rule says, in the same wrapper:
   *
   *     <tool_call><function=a>…</function></tool_call>      both sides
   *     <tool_call><function=a>…</function><function=b>…     the next call
   */
  #frameCloser(rule: CompiledRule, options: { isWrapped: boolean; hasMarks: boolean }): Node {
    const { wrapperCloser } = rule;
    if (!options.isWrapped || !wrapperCloser) return wholeCloser(rule);
    const mark = options.hasMarks ? [MARK] : [];
    const wrapper = JSON.stringify(wrapperCloser);
    const openers = this.#rules.filter((other) => JSON.stringify(other.wrapperCloser) === wrapper)
      .map(({ opener }) => withoutGroups(opener));
    const next = sequence(...mark, spaces, choice(...openers));
    return sequence(rule.closer, choice(wrapperCloser, next, sequence(...mark, spaces, END)));
  }

  /** The names that a request offers. */
  #naming(offered: OfferedTools): Naming {
    const known = this.#namingOf.get(offered);
    if (known) return known;
    const { spellings = [] } = offered;
    const key = spellings.join("\n");
    const naming = this.#namings.get(key) ?? { number: this.#namingCount++, names: [...spellings].sort() };
    if (this.#namings.size >= KEPT_MAXIMUM) this.#namings.clear();
    this.#namings.set(key, naming);
    this.#namingOf.set(offered, naming);
    return naming;
  }

  #keep({ what, texts, offered }: Parts, make: () => Alternative[]): Automaton {
    const nfa = this.#compiled.get(what) ?? compile(make());
    this.#compiled.set(what, nfa);
    const naming = offered && nfa.names.includes(OFFERED) ? this.#naming(offered) : undefined;
    const shared = naming ? `${what} ${naming.number}` : what;
    let key = shared;
    const bound: Record<string, string> = {};
    for (const name of nfa.names) {
      if (name === OFFERED) continue;
      const text = bound[name] = texts[name] ?? "";
      key += ` ${text.length}:${text}`;
    }
    return recall(this.#kept, key, () => {
      const sets = naming ? { [OFFERED]: naming.names } : {};
      return new Automaton(recall(this.#states, shared, () => new States(nfa, sets)), bound);
    });
  }
}

/** What is kept under a key, or is made for it; what was not used for longest goes first. */
function recall<Kept>(kept: Map<string, Kept>, key: string, make: () => Kept): Kept {
  const value = kept.get(key) ?? make();
  kept.delete(key);
  kept.set(key, value);
  if (kept.size > KEPT_MAXIMUM) kept.delete(kept.keys().next().value!);
  return value;
}

/**
 * A rule's opener. Where tags look like HTML, only a tag that is the name of an offered tool can open a call, so
 * all others leave at their first wrong letter.
 */
function openerOf(rule: CompiledRule, offered: OfferedTools): Alternative {
  const { opener, priority } = rule;
  if (!rule.needsDeclaredKeys || !offered.spellings) return { node: opener, priority };
  const item: Node = { type: "reference", name: OFFERED };
  return { node: replaceGroup(opener, { name: "tool", item }), priority };
}

/** The closer of an item, in one of the ways of writing it. */
function closerOf(body: Tagged, form = 0): Node {
  return body.itemClosers[form] ?? NEVER;
}

/** A whole opener inside a value, with the beginning of its body: an example of a call, not a mention of its tag. */
function frameOpener(rule: CompiledRule, body: Tagged): Alternative {
  const follows = choice(body.itemOpener, rule.closer);
  return { node: sequence(beforeLookAhead(rule.opener), MARK, spaces, follows), priority: 0 };
}
