/**
 * A stretch of an answer in which the matcher looks for openers: the answer itself, an opaque region (a fence, a
 * quotation, the model's reasoning) whose text flows on, or a group of calls.
 *
 * @module
 */
import type { Automaton } from "../pattern/automaton.ts";
import { Search } from "../pattern/search.ts";
import type { OfferedTools } from "../tool/offered.ts";
import { REGION_CLOSER } from "./automata.ts";
import { Group } from "./group.ts";
import type { CompiledRule, Program } from "./program.ts";
import type { Session } from "./session.ts";

/** How a region was opened. */
export interface RegionOpening {
  readonly rule: CompiledRule;
  readonly offset: number;
  readonly atLineStart: boolean;
}

/** One region that is open. */
export class Region {
  readonly opening: RegionOpening | undefined;
  readonly group: Group | undefined;
  /** A group's own text, as long as it has no call. */
  raw = "";
  #search: Search;
  readonly #automaton: Automaton;
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
    const { automata } = session.program;
    const texts = Object.fromEntries(rule.references.map((name) => [name, groups[name] ?? ""]));
    return new Region({
      opening: { rule, offset, atLineStart },
      group: rule.body.kind === "group" ? new Group(rule, { session, mode: groups["mode"] }) : undefined,
      automaton: automata.region(rule, texts, session.options.offered),
      rules: automata.calling,
    });
  }

  /** Whether an alternative is the region's closer. */
  isCloser(alternative: number): boolean {
    return this.opening !== undefined && alternative === REGION_CLOSER;
  }

  /** The rule whose opener an alternative is. */
  rule(alternative: number): CompiledRule {
    return this.#rules[this.opening ? alternative - 1 : alternative]!;
  }

  /** Whether a rule makes calls here, or its candidates are quoted. */
  reads(rule: CompiledRule): boolean {
    const body = this.opening?.rule.body;
    if (body?.kind !== "opaque") return true;
    return rule.inside === "any" ? body.region !== "reasoning" : rule.inside === body.region;
  }

  /** The text was taken by something else: the search begins anew. */
  restart(): void {
    this.#search = new Search(this.#automaton);
  }
}
