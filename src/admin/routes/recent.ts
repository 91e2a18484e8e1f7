/** Keeps the last decisions and each rule's hits for the pages, from audit lines, even if no log is written. @module */
import type { AuditLine, DecisionLine } from "../audit/line.ts";
import { type End, endOf } from "../audit/ends.ts";

const DECISIONS_KEPT = 100;

const RULES_MAX = 1000;

/** How often a rule's candidates ended in each way. */
type Hits = Readonly<Partial<Record<End, number>>>;

export class Recent {
  #decisions: DecisionLine[] = [];
  readonly #hits = new Map<string, Partial<Record<End, number>>>();
  #requests = 0;

  add(lines: readonly AuditLine[]): void {
    for (const line of lines) {
      if (line.kind === "request") this.#requests++;
      if (line.kind !== "decision") continue;
      this.#decisions.push(line);
      this.#count(line);
    }
    if (this.#decisions.length > DECISIONS_KEPT) this.#decisions = this.#decisions.slice(-DECISIONS_KEPT);
  }

  get decisions(): readonly DecisionLine[] {
    return this.#decisions.toReversed();
  }

  get requests(): number {
    return this.#requests;
  }

  /** The ends of a rule's candidates; empty without candidates. */
  hitsOf(rule: string): Hits {
    return this.#hits.get(rule) ?? {};
  }

  #count(line: DecisionLine): void {
    if (line.repeats) return;
    const { rule } = line;
    const end = endOf(line);
    const hits = this.#hits.get(rule) ?? {};
    hits[end] = (hits[end] ?? 0) + 1;
    if (this.#hits.size < RULES_MAX || this.#hits.has(rule)) this.#hits.set(rule, hits);
  }
}
