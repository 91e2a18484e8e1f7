/**
 * What a person asks of a running server first: the last decisions, and how often each rule decided what. In: lines
 * of the audit log, written or not. Out: both, for the pages.
 *
 * @module
 */
import type { AuditLine, DecisionLine } from "../audit/line.ts";
import type { Outcome } from "../audit/outcome.ts";

/** How many decisions are kept. */
const DECISIONS_KEPT = 100;

/** How many rules are counted; there are as many as there are files. */
const RULES_MAX = 1000;

/** How often a rule's candidates ended in each way. */
export type Hits = Readonly<Partial<Record<Outcome, number>>>;

/** The last decisions of a server. */
export class Recent {
  #decisions: DecisionLine[] = [];
  readonly #hits = new Map<string, Partial<Record<Outcome, number>>>();
  #requests = 0;

  /** Takes the lines of a request that is over. */
  add(lines: readonly AuditLine[]): void {
    for (const line of lines) {
      if (line.kind === "request") this.#requests++;
      if (line.kind !== "decision") continue;
      this.#decisions.push(line);
      this.#count(line);
    }
    if (this.#decisions.length > DECISIONS_KEPT) this.#decisions = this.#decisions.slice(-DECISIONS_KEPT);
  }

  /** The last decisions, the latest first. */
  get decisions(): readonly DecisionLine[] {
    return this.#decisions.toReversed();
  }

  /** How many chats are over. */
  get requests(): number {
    return this.#requests;
  }

  /** What a rule's candidates came to; nothing where it had none. */
  hitsOf(rule: string): Hits {
    return this.#hits.get(rule) ?? {};
  }

  #count({ rule, outcome }: DecisionLine): void {
    const hits = this.#hits.get(rule) ?? {};
    hits[outcome] = (hits[outcome] ?? 0) + 1;
    if (this.#hits.size < RULES_MAX || this.#hits.has(rule)) this.#hits.set(rule, hits);
  }
}
