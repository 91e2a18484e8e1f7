/**
 * Tracks lines that can be the head of a table. Only the following line decides:
 *
 *     | dialect | <read_file>…</read_file> |      quoted if the next line is the delimiter row
 *     |---------|--------------------------|
 *
 * @module
 */
import type { Leaf } from "./blocks.ts";
import { settle, SpanWatch } from "./span_watch.ts";

/** Tracks the current line and the previous one. */
export class TableHeads {
  #current: SpanWatch[] = [];
  #before: SpanWatch[] = [];

  /** Watches whether the current line is a head, in which case the watch is closed. */
  watch(): SpanWatch {
    const watch = new SpanWatch();
    this.#current.push(watch);
    return watch;
  }

  /** Ends a line, after which a block of this kind is open. */
  endLine(kind: Leaf["kind"]): void {
    if (this.#before.length === 0 && this.#current.length === 0) return;
    settle(this.#before, kind === "table" ? "closed" : "literal");
    this.#before = this.#current;
    this.#current = [];
  }

  /** Ends the text, whose last line isn't a head. */
  end(): void {
    this.endLine("none");
    this.endLine("none");
  }

  /** Discards all watches, because the text is read again from an earlier position. */
  forget(): void {
    this.#before = [];
    this.#current = [];
  }
}
