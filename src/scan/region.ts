/**
 * A stretch of an answer in which the matcher looks for openers: the answer itself, an opaque region (a fence, a
 * quotation, the model's reasoning) whose text flows on, or a group of calls.
 *
 * @module
 */
import type { Automaton } from "../pattern/automaton.ts";
import { Search, type TextWindow } from "../pattern/search.ts";
import type { OfferedTools } from "../tool/offered.ts";
import { REGION_CLOSER } from "./automata.ts";
import { Group } from "./group.ts";
import type { Body, CompiledRule, Program } from "./program.ts";
import type { Session } from "./session.ts";

type Opaque = Extract<Body, { kind: "opaque" }>;

/** How a region was opened. */
export interface RegionOpening {
  readonly rule: CompiledRule;
  readonly offset: number;
  readonly atLineStart: boolean;
}

/** What changes while a region is open. */
export interface RegionState {
  readonly raw: string;
  readonly isGroupOpen: boolean;
  readonly automaton: Automaton;
  readonly hasBegun: boolean;
}

/** One region that is open. */
export class Region {
  readonly opening: RegionOpening | undefined;
  readonly group: Group | undefined;
  /** A group's own text, as long as it has no call. */
  raw = "";
  #search: Search;
  #automaton: Automaton;
  #hasBegun = false;
  readonly #rules: readonly CompiledRule[];

  private constructor(options: {
    opening: RegionOpening | undefined;
    group: Group | undefined;
    automaton: Automaton;
    rules: readonly CompiledRule[];
  }) {
    this.opening = options.opening;
    this.group = options.group;
    this.#automaton = options.automaton;
    this.#rules = options.rules;
    this.#search = new Search(options.automaton);
  }

  /** Looks for openers and the closer; only right here, as long as a group has no call. */
  get search(): Search {
    const isAnchored = this.group?.isOpen === false;
    if (this.#search.isAnchored !== isAnchored) this.#search = new Search(this.#automaton, isAnchored);
    return this.#search;
  }

  /** The answer itself. */
  static root(program: Program, offered: OfferedTools): Region {
    const { automata, rules } = program;
    return new Region({ opening: undefined, group: undefined, automaton: automata.root(offered), rules });
  }

  /** The regions that are open when an answer begins. */
  static begin(session: Session): Region[] {
    const { program, options } = session;
    const root = Region.root(program, options.offered);
    const rule = options.beginsInReasoning ? reasoningOf(program) : undefined;
    return rule ? [root, Region.open(rule, { session, groups: {}, offset: 0, atLineStart: true })] : [root];
  }

  /** The answer has begun: what may only stand at its start is not looked for any more. */
  passStart({ program, options }: Session): void {
    if (this.opening || this.#hasBegun) return;
    this.#hasBegun = true;
    this.#automaton = program.automata.root(options.offered, { hasBegun: true });
    this.restart();
  }

  /** A region that a rule's opener opened. */
  static open(
    rule: CompiledRule,
    options: {
      session: Session;
      groups: Readonly<Record<string, string>>;
      offset: number;
      atLineStart: boolean;
    },
  ): Region {
    const { session, groups, offset, atLineStart } = options;
    const { automata, rules } = session.program;
    const inner = isAnswer(rule) ? rules : automata.calling;
    const texts = Object.fromEntries(rule.references.map((name) => [name, groups[name] ?? ""]));
    return new Region({
      opening: { rule, offset, atLineStart },
      group: rule.body.kind === "group" ? new Group(rule, { session, mode: groups["mode"] }) : undefined,
      automaton: automata.region(rule, inner, { texts, offered: session.options.offered }),
      rules: inner,
    });
  }

  /** What kind of text it is; undefined for a group. */
  get kind(): Opaque["region"] | undefined {
    const body = this.opening?.rule.body;
    return this.opening === undefined ? "answer" : body?.kind === "opaque" ? body.region : undefined;
  }

  /** Whether it is the model's reasoning. */
  get isThought(): boolean {
    return this.kind === "reasoning";
  }

  /** What of it the client gets. */
  get shows(): Opaque["shows"] {
    const body = this.opening?.rule.body;
    return body?.kind === "opaque" ? body.shows : "all";
  }

  /** Whether the client gets it as reasoning, apart from the text. */
  get isSentApart(): boolean {
    const body = this.opening?.rule.body;
    return body?.kind === "opaque" && body.sendsAs === "reasoning";
  }

  /** Whether a text leaves unchanged: no match begins in it, and it isn't sent apart. */
  passes(text: string, before: TextWindow): boolean {
    return !this.isSentApart && this.search.ignores(text, before);
  }

  /** Whether an alternative is the region's closer. */
  isCloser(alternative: number): boolean {
    return this.opening !== undefined && alternative === REGION_CLOSER;
  }

  /** The rule whose opener an alternative is. */
  rule(alternative: number): CompiledRule {
    return this.#rules[this.opening ? alternative - 1 : alternative]!;
  }

  /** Whether calls make nothing here: certainly, or only if the region is closed. */
  get quotes(): "never" | "always" | "if closed" {
    const body = this.opening?.rule.body;
    if (body?.kind !== "opaque" || body.region === "answer") return "never";
    return body.unclosed === "text" ? "if closed" : "always";
  }

  /** Whether the region is a fence by a pattern of its own. */
  get isFence(): boolean {
    const body = this.opening?.rule.body;
    return body?.kind === "opaque" && body.region === "fence";
  }

  /** What changes while the region is open. */
  get state(): RegionState {
    const { raw, group } = this;
    return { raw, isGroupOpen: group?.isOpen ?? false, automaton: this.#automaton, hasBegun: this.#hasBegun };
  }

  /** Goes back to an earlier place. */
  restore(state: RegionState): void {
    this.raw = state.raw;
    if (this.group) this.group.isOpen = state.isGroupOpen;
    this.#automaton = state.automaton;
    this.#hasBegun = state.hasBegun;
    this.restart();
  }

  /** The text was taken by something else: the search begins anew. */
  restart(): void {
    this.#search = new Search(this.#automaton);
  }
}

/** Whether a region is part of the answer: then everything is looked for in it, fences and reasoning too. */
function isAnswer({ body }: CompiledRule): boolean {
  return body.kind === "opaque" && body.region === "answer";
}

/** The rule of the reasoning that a template may open before the answer. */
export function reasoningOf({ rules }: Program): CompiledRule | undefined {
  const reasoning = rules.filter(({ body }) => body.kind === "opaque" && body.region === "reasoning");
  return reasoning.find(({ body }) => body.kind === "opaque" && body.isPrefilled) ?? reasoning[0];
}
