/**
 * Lines that may be the head of a table. Only the line after one decides:
 *
 *     | dialect | <read_file>…</read_file> |      shown, if the next line is the delimiter row
 *     |---------|--------------------------|
 *
 * @module
 */
import type { SpanWatch } from "./code_spans.ts";
import type { Leaf } from "./markdown_line.ts";

/** Follows the current line and the one after it. */
export class TableHeads {
  /** Those of the current line, and those of the line before. */
  #current: SpanWatch[] = [];
  #before: SpanWatch[] = [];

  /** Follows whether the current line is a head: then what is watched is closed. */
  watch(): SpanWatch {
    const watch: SpanWatch = { count: 1, outcome: "open" };
    this.#current.push(watch);
    return watch;
  }

  /** A line is over; this kind of block is open after it. */
  endLine(kind: Leaf["kind"]): void {
    for (const watch of this.#before) watch.outcome = kind === "table" ? "closed" : "literal";
    this.#before = this.#current;
    this.#current = [];
  }

  /** The text is over: its last line is no head. */
  end(): void {
    this.endLine("none");
    this.endLine("none");
  }

  /** The text is read again from an earlier place. */
  forget(): void {
    this.#before = [];
    this.#current = [];
  }
}
