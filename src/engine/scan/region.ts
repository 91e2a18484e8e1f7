/**
 * A stretch of an answer in which the matcher looks for openers: the answer itself, an opaque region whose text is sent
 * on (a fence, a quotation, the model's reasoning), or a group of calls.
 *
 * @module
 */
import type { Automaton } from "../pattern/automaton.ts";
import { Search, type TextWindow } from "../pattern/search.ts";
import type { OfferedTools } from "../tool/offered.ts";
import { REGION_CLOSER } from "./automata.ts";
import { Group } from "./group.ts";
import type { Body, CompiledRule } from "./compiled_rule.ts";
import type { Program } from "./program.ts";
import type { Session } from "./session.ts";

type Opaque = Extract<Body, { kind: "opaque" }>;

export interface RegionOpening {
  readonly rule: CompiledRule;
  readonly offset: number;
  readonly atLineStart: boolean;
}

/** The part of a region that changes while it is open. */
export interface RegionState {
  readonly raw: string;
  readonly isGroupOpen: boolean;
  readonly automaton: Automaton;
  readonly hasBegun: boolean;
}

export class Region {
  readonly opening: RegionOpening | undefined;
  readonly group: Group | undefined;
  /** A group's own text, until it has a call. */
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

  /** Searches for openers and the closer; in a group without a call, only at the current position. */
  get search(): Search {
    const isAnchored = this.group?.isOpen === false;
    if (this.#search.isAnchored !== isAnchored) this.#search = new Search(this.#automaton, isAnchored);
    return this.#search;
  }

  static root(program: Program, offered: OfferedTools): Region {
    const { automata, rules } = program;
    return new Region({ opening: undefined, group: undefined, automaton: automata.root(offered), rules });
  }

  /** The open regions at the beginning of an answer. */
  static begin(session: Session): Region[] {
    const { program, options } = session;
    const root = Region.root(program, options.offered);
    const rule = options.beginsInReasoning ? reasoningOf(program) : undefined;
    return rule ? [root, Region.open(rule, { session, groups: {}, offset: 0, atLineStart: true })] : [root];
  }

  /** Stops searching for openers that are valid only at the start of the answer. */
  passStart({ program, options }: Session): void {
    if (this.opening || this.#hasBegun) return;
    this.#hasBegun = true;
    this.#automaton = program.automata.root(options.offered, { hasBegun: true });
    this.restart();
  }

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

  /** The kind of text, or undefined for a group. */
  get kind(): Opaque["region"] | undefined {
    return this.opening === undefined ? "answer" : this.#opaque?.region;
  }

  get #opaque(): Opaque | undefined {
    const body = this.opening?.rule.body;
    return body?.kind === "opaque" ? body : undefined;
  }

  get isThought(): boolean {
    return this.kind === "reasoning";
  }

  get shows(): Opaque["shows"] {
    return this.#opaque?.shows ?? "all";
  }

  /** Whether the client receives the region as reasoning. */
  get isSentApart(): boolean {
    return this.#opaque?.sendsAs === "reasoning";
  }

  /** Whether a text is passed on unchanged: no match begins in it, and it is sent as text. */
  passes(text: string, before: TextWindow): boolean {
    return !this.isSentApart && this.shows !== "nothing" && this.search.ignores(text, before);
  }

  isCloser(alternative: number): boolean {
    return this.opening !== undefined && alternative === REGION_CLOSER;
  }

  rule(alternative: number): CompiledRule {
    return this.#rules[this.opening ? alternative - 1 : alternative]!;
  }

  /** Whether the region quotes calls: never, always, or only if it is closed. */
  get quotes(): "never" | "always" | "if closed" {
    const body = this.#opaque;
    if (!body || body.region === "answer") return "never";
    return body.unclosed === "text" ? "if closed" : "always";
  }

  /** Whether the region is a fence that a rule's pattern opens. */
  get isFence(): boolean {
    return this.kind === "fence";
  }

  /** What changes while the region is open. */
  get state(): RegionState {
    const { raw, group } = this;
    return { raw, isGroupOpen: group?.isOpen ?? false, automaton: this.#automaton, hasBegun: this.#hasBegun };
  }

  restore(state: RegionState): void {
    this.raw = state.raw;
    if (this.group) this.group.isOpen = state.isGroupOpen;
    this.#automaton = state.automaton;
    this.#hasBegun = state.hasBegun;
    this.restart();
  }

  /** Begins a new search, after other code consumed the text. */
  restart(): void {
    this.#search = new Search(this.#automaton);
  }
}

/** Whether a region is part of the answer, so that openers of all rules count in it. */
function isAnswer({ body }: CompiledRule): boolean {
  return body.kind === "opaque" && body.region === "answer";
}

function reasoningOf({ rules }: Program): CompiledRule | undefined {
  const reasoning = rules.filter(({ body }) => body.kind === "opaque" && body.region === "reasoning");
  return reasoning.find(({ body }) => body.kind === "opaque" && body.isPrefilled) ?? reasoning[0];
}
