/**
 * A position in the text of which only later text decides whether it is in a code span, a link or the head of a table.
 *
 * @module
 */

/** The outcome of a watch: the structure was closed around the position, or turned out to be text. */
type SpanOutcome = "open" | "closed" | "literal";

/** Watches one position. The first outcome counts. */
export class SpanWatch {
  #outcome: SpanOutcome = "open";
  /** Called once, with the outcome. */
  onSettled: (() => void) | undefined;

  get outcome(): SpanOutcome {
    return this.#outcome;
  }

  settle(outcome: "closed" | "literal"): void {
    if (this.#outcome !== "open") return;
    this.#outcome = outcome;
    this.onSettled?.();
  }
}

/** Decides several watches alike. */
export function settle(watches: readonly SpanWatch[], outcome: "closed" | "literal"): void {
  for (const watch of watches) watch.settle(outcome);
}
