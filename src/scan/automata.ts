/**
 * Which patterns are looked for in which state of the matcher. Everything here is derived from the rule: its
 * author writes one pattern and never thinks of guards, wrappers or examples inside values.
 *
 * @module
 */
import { Automaton } from "../pattern/automaton.ts";
import { bind, choice, literal, minimumLength, type Node, sequence, spaces } from "../pattern/node.ts";
import type { OfferedTools } from "../tool/offered.ts";
import type { Body, CompiledRule } from "./program.ts";

/** The texts that a closer's references stand for. */
export type Texts = Readonly<Record<string, string>>;

type Tagged = Extract<Body, { kind: "tagged" }>;

const MARK: Node = { type: "mark" };
const END: Node = { type: "end" };
/** Matches nothing at all. */
const NEVER: Node = { type: "characters", ranges: [] };

/** How many automata are kept; the one that was not used for longest goes first. */
const KEPT_MAXIMUM = 512;

/** Alternatives of `closing`: what may stand behind a whole JSON value. */
export const CLOSING = { closer: 0, end: 1, opener: 2, brace: 3, another: 4 } as const;

/** Alternatives of `between`: what may stand between two items. Containers follow, opener and closer of each. */
export const BETWEEN = { item: 0, closer: 1, end: 2, container: 3 } as const;

/** Alternatives of `value`: what may end or nest in a value. */
export const VALUE = { closer: 0, frame: 1, item: 2 } as const;

/** Alternatives of `nested`: the same inside an example of a call that stands in a value. */
export const NESTED = { closer: 0, frame: 1, frameCloser: 2 } as const;

/** A region's closer comes first, then its rules. */
export const REGION_CLOSER = 0;

/** Makes and keeps the automata of a program. */
export class Automata {
  readonly #rules: readonly CompiledRule[];
  /** The rules that are looked for inside regions: those that make calls. */
  readonly calling: readonly CompiledRule[];
  readonly #kept = new Map<string, Automaton>();
  /** The sets of names that requests offered, each with its number; few, since agents keep their tools. */
  readonly #namings = new Map<string, number>();
  #namingCount = 0;
  readonly #namingOf = new WeakMap<OfferedTools, number>();

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
    this.calling = rules.filter((rule) => rule.body.kind !== "opaque" && rule.body.kind !== "group");
  }

  /** The openers of all rules: alternative n is the rule of rank n. */
  root(offered: OfferedTools): Automaton {
    return this.#keep(
      `root ${this.#naming(offered)}`,
      () => this.#rules.map((rule) => openerOf(rule, offered)),
    );
  }

  /** The closer of an opaque region or a group, then the openers of the rules that make calls. */
  region(rule: CompiledRule, texts: Texts, offered: OfferedTools): Automaton {
    return this.#keep(keyOf(rule, `region ${this.#naming(offered)}`, texts), () => [
      { node: bind(rule.closer, texts), priority: -1 },
      ...this.calling.map((inner) => openerOf(inner, offered)),
    ]);
  }

  /** The closer of a body that is plain text. */
  text(rule: CompiledRule, texts: Texts): Automaton {
    return this.#keep(keyOf(rule, "text", texts), () => [{ node: wholeCloser(rule, texts), priority: 0 }]);
  }

  /** What may stand behind a whole JSON value. */
  closing(rule: CompiledRule, texts: Texts): Automaton {
    return this.#keep(keyOf(rule, "closing", texts), () => [
      { node: sequence(spaces, wholeCloser(rule, texts)), priority: 0 },
      { node: sequence(MARK, spaces, END), priority: 1 },
      { node: sequence(MARK, spaces, rule.opener), priority: 1 },
      { node: sequence(spaces, literal("}")), priority: 1 },
      { node: sequence(spaces, MARK, literal("{")), priority: 1 },
    ]);
  }

  /** What may stand between two items of a tagged body. */
  between(rule: CompiledRule, body: Tagged, texts: Texts, isWrapped: boolean): Automaton {
    return this.#keep(keyOf(rule, isWrapped ? "between wrapped" : "between", texts), () => [
      { node: sequence(spaces, body.itemOpener), priority: 1 },
      { node: sequence(spaces, frameCloser(rule, texts, { isWrapped, hasMarks: true })), priority: 0 },
      { node: sequence(MARK, spaces, END), priority: 2 },
      ...body.containers.flatMap((name) => [
        { node: sequence(spaces, rename(body.itemOpener, name)), priority: 0 },
        { node: sequence(spaces, bind(body.itemCloser, { key: name })), priority: 0 },
      ]),
    ]);
  }

  /**
   * What ends a value. Its closer counts only if white space and then an item, a container, the frame's closer
   * or the end follows; a whole frame inside the value is an example and belongs to it.
   */
  value(rule: CompiledRule, body: Tagged, texts: Texts, isWrapped: boolean): Automaton {
    return this.#keep(keyOf(rule, isWrapped ? "value wrapped" : "value", texts), () => {
      const closer = bind(body.itemCloser, texts);
      const follows = choice(
        body.itemOpener,
        frameCloser(rule, texts, { isWrapped, hasMarks: false }),
        ...body.containers.map((name) => bind(body.itemCloser, { key: name })),
        END,
      );
      return [
        { node: sequence(closer, MARK, spaces, follows), priority: 0 },
        frameOpener(rule, body, texts),
        { node: sequence(literal("\n"), MARK, body.itemOpener), priority: 0 },
      ];
    });
  }

  /** The same inside an example of a call: only at the very end of the answer a closer is the call's own. */
  nested(
    rule: CompiledRule,
    body: Tagged,
    texts: Texts,
    options: { isWrapped: boolean; inner: Texts },
  ): Automaton {
    const { isWrapped, inner } = options;
    const what = `nested ${isWrapped ? "wrapped" : ""} ${Object.values(inner).join()}`;
    return this.#keep(keyOf(rule, what, texts), () => {
      const own = rule.wrapperCloser && isWrapped
        ? sequence(bind(rule.closer, texts), bind(rule.wrapperCloser, texts))
        : wholeCloser(rule, texts);
      return [
        { node: sequence(bind(body.itemCloser, texts), MARK, spaces, own, spaces, END), priority: 0 },
        frameOpener(rule, body, texts),
        { node: wholeCloser(rule, inner), priority: 0 },
      ];
    });
  }

  /** The names that a request offers, as part of a key. */
  #naming(offered: OfferedTools): number {
    const known = this.#namingOf.get(offered);
    if (known !== undefined) return known;
    const names = offered.spellings?.join("\n") ?? "*";
    const number = this.#namings.get(names) ?? this.#namingCount++;
    if (this.#namings.size >= KEPT_MAXIMUM) this.#namings.clear();
    this.#namings.set(names, number);
    this.#namingOf.set(offered, number);
    return number;
  }

  #keep(key: string, make: () => ConstructorParameters<typeof Automaton>[0]): Automaton {
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    const made = new Automaton(make());
    this.#kept.set(key, made);
    if (this.#kept.size > KEPT_MAXIMUM) this.#kept.delete(this.#kept.keys().next().value!);
    return made;
  }
}

/** What an automaton is kept under: nothing else went into it. */
function keyOf(rule: CompiledRule, what: string, texts: Texts): string {
  let key = `${rule.rank} ${what}`;
  for (const name in texts) key += `\n${name}=${texts[name]}`;
  return key;
}

/**
 * A rule's opener. Where tags look like HTML, only a tag that is the name of an offered tool can open a call, so
 * all others leave at their first wrong letter.
 */
function openerOf(rule: CompiledRule, offered: OfferedTools): { node: Node; priority: number } {
  const { opener, priority } = rule;
  if (!rule.needsDeclaredKeys || !offered.spellings) return { node: opener, priority };
  const { spellings } = offered;
  const names = spellings.length > 0 ? choice(...spellings.map(literal)) : NEVER;
  return { node: replaceGroup(opener, { name: "tool", item: names }), priority };
}

/** Whether a rule's closer may be nothing: then the call ends with its body. */
export function hasCloser(rule: CompiledRule): boolean {
  return minimumLength(rule.closer) > 0;
}

/** The closer, and the wrapper's closer if it is there. */
function wholeCloser(rule: CompiledRule, texts: Texts): Node {
  const closer = bind(rule.closer, texts);
  if (!rule.wrapperCloser) return closer;
  const wrapperCloser = bind(rule.wrapperCloser, texts);
  return sequence(closer, { type: "repeat", item: wrapperCloser, minimum: 0, maximum: 1, greedy: true });
}

/**
 * The frame's closer. Where the opener took the wrapper with it, the closer counts only if the wrapper's closer,
 * the next call or the end follows:
 *
 *     <tool_call><function=a>…</function></tool_call>      both sides
 *     <tool_call><function=a>…</function><function=b>…     the next call
 */
function frameCloser(
  rule: CompiledRule,
  texts: Texts,
  options: { isWrapped: boolean; hasMarks: boolean },
): Node {
  if (!options.isWrapped || !rule.wrapperCloser) return wholeCloser(rule, texts);
  const mark = options.hasMarks ? [MARK] : [];
  return sequence(
    bind(rule.closer, texts),
    choice(
      bind(rule.wrapperCloser, texts),
      sequence(...mark, spaces, rule.opener),
      sequence(...mark, spaces, END),
    ),
  );
}

/** A whole opener inside a value, with the beginning of its body: an example of a call, not a mention of its tag. */
function frameOpener(rule: CompiledRule, body: Tagged, texts: Texts): { node: Node; priority: number } {
  return {
    node: sequence(
      beforeLookAhead(rule.opener),
      MARK,
      spaces,
      choice(body.itemOpener, bind(rule.closer, texts)),
    ),
    priority: 0,
  };
}

/** What an opener itself matches: what it only looks at is the beginning of its body. */
function beforeLookAhead(opener: Node): Node {
  if (opener.type !== "sequence") return opener;
  const at = opener.items.findIndex((item) => item.type === "mark");
  return at < 0 ? opener : sequence(...opener.items.slice(0, at));
}

/** An item's opener whose key is this very name. */
function rename(opener: Node, name: string): Node {
  return replaceGroup(opener, { name: "key", item: literal(name) });
}

/** The same pattern with something else inside one of its groups. */
function replaceGroup(node: Node, group: { name: string; item: Node }): Node {
  switch (node.type) {
    case "group":
      return { ...node, item: node.name === group.name ? group.item : replaceGroup(node.item, group) };
    case "sequence":
    case "choice":
      return { type: node.type, items: node.items.map((item) => replaceGroup(item, group)) };
    case "repeat":
      return { ...node, item: replaceGroup(node.item, group) };
    default:
      return node;
  }
}
