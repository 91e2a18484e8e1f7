/**
 * A stretch of an answer in which the matcher looks for openers: the answer itself, an opaque region whose text is sent
 * on (a fence, a quotation, the model's reasoning), or a group of calls; and the open ones at a position.
 *
 *     <think>It reads <pre>…
 *     ^ answer
 *            ^ reasoning
 *                          ^ a quotation, the innermost
 *
 * @module
 */
import type { Automaton } from "../pattern/automaton.ts";
import { Search, type TextWindow } from "../pattern/search.ts";
import { REGION_CLOSER } from "./automata.ts";
import { Group } from "./group.ts";
import type { Body, CompiledRule } from "./compiled_rule.ts";
import type { Session } from "./session.ts";

type Opaque = Extract<Body, { kind: "opaque" }>;

interface RegionOpening {
  readonly rule: CompiledRule;
  readonly offset: number;
  readonly atLineStart: boolean;
  /** Whether the region leaves as reasoning, without its marks, although it is shown as text otherwise. */
  readonly isSeparated?: boolean | undefined;
  /** The text that opened it; undefined if a prompt did. */
  readonly mark?: string;
}

/** The part of a region that changes while it is open. */
interface RegionState {
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

  /**
   * A region that begins: the answer itself, unless it has an opener.
   *
   * @param groups the opener's groups
   */
  constructor(
    session: Session,
    opening?: RegionOpening,
    groups: Readonly<Record<string, string>> = {},
  ) {
    const { program: { automata, rules }, options: { offered, separatesReasoning } } = session;
    const rule = opening?.rule;
    this.opening = opening;
    this.#rules = this.isPrefilled
      ? automata.inPrefilled
      : rule && !isAnswer(rule)
      ? automata.calling
      : rules;
    this.#automaton = rule
      ? automata.region(rule, this.#rules, { texts: groups, offered })
      : automata.root(offered, { closers: separatesReasoning });
    if (rule?.body.kind === "group") this.group = new Group(rule, { session, mode: groups["mode"] });
    this.#search = new Search(this.#automaton);
  }

  /** Searches for openers and the closer; in a group without a call, only at the current position. */
  get search(): Search {
    const isAnchored = this.group?.isOpen === false;
    if (this.#search.isAnchored !== isAnchored) this.#search = new Search(this.#automaton, isAnchored);
    return this.#search;
  }

  /** Stops searching for openers that are valid only at the start of the answer. */
  passStart({ program, options }: Session): void {
    if (this.opening || this.#hasBegun) return;
    this.#hasBegun = true;
    this.#automaton = program.automata.root(options.offered, {
      hasBegun: true,
      closers: options.separatesReasoning,
    });
    this.restart();
  }

  /** Begins the answer again, after reasoning that nothing opened. */
  begin({ program, options }: Session): void {
    this.#hasBegun = false;
    this.#automaton = program.automata.root(options.offered, { closers: options.separatesReasoning });
    this.restart();
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
    return this.opening?.isSeparated ? "text" : this.#opaque?.shows ?? "all";
  }

  /** Whether the client receives the region as reasoning: always without its marks. */
  get isSentApart(): boolean {
    return this.opening?.isSeparated ||
      (this.#opaque?.sendsAs === "reasoning" && this.#opaque.shows === "text");
  }

  /** Whether the region leaves as reasoning, and is the answer after all if nothing closes it. */
  get isAmbiguous(): boolean {
    return this.isSentApart && (this.isPrefilled || this.#opaque?.unclosed === "text");
  }

  /** Whether a prompt opened the region. */
  get isPrefilled(): boolean {
    return this.opening !== undefined && this.opening.mark === undefined;
  }

  /** Whether a text is passed on unchanged: no match begins in it, and it is sent as text. */
  passes(text: string, before: TextWindow): boolean {
    return !this.isSentApart && this.shows !== "nothing" && this.search.ignores(text, before);
  }

  isCloser(alternative: number): boolean {
    return this.opening !== undefined && alternative === REGION_CLOSER;
  }

  /** Whether an alternative is the closer of reasoning that nothing opened. */
  isLoneCloser(alternative: number): boolean {
    return this.opening === undefined && alternative === this.#rules.length;
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

const PREFILLED = { offset: 0, atLineStart: true } as const;

/** The open regions at an earlier position, innermost last. */
export type SavedRegions = readonly { readonly region: Region; readonly state: RegionState }[];

export class Regions {
  #open: Region[];
  innermost: Region;

  constructor(session: Session) {
    const { program, options } = session;
    this.#open = [new Region(session)];
    const rule = options.beginsInReasoning ? program.automata.prefilled : undefined;
    if (rule) {
      this.#open.push(new Region(session, { ...PREFILLED, rule, isSeparated: options.separatesReasoning }));
    }
    this.innermost = this.#open.at(-1)!;
  }

  get group(): Region | undefined {
    return this.#open.find((region) => region.group);
  }

  get state(): SavedRegions {
    return this.#open.map((region) => ({ region, state: region.state }));
  }

  restore(saved: SavedRegions): void {
    this.#open = saved.map(({ region }) => region);
    for (const { region, state } of saved) region.restore(state);
    this.innermost = this.#open.at(-1)!;
  }

  enter(region: Region): void {
    this.#open.push(region);
    this.innermost = region;
  }

  /** Closes the innermost region and restarts the search around it. */
  leave(): void {
    this.#open.pop();
    this.innermost = this.#open.at(-1)!;
    this.innermost.restart();
  }

  /** Ends the answer: groups end without their closers, innermost first. */
  end(): void {
    for (const region of this.#open.reverse()) region.group?.close({ isClosed: false });
  }
}
