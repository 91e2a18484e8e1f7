/**
 * The part of the answer that is at hand: what was consumed is gone, what is held stays. Offsets in the answer
 * are UTF-16 units from its beginning, so they do not depend on how the answer was cut.
 *
 * @module
 */
import type { Window } from "../pattern/search.ts";

/** A place in a text that is still coming. */
export class Cursor implements Window {
  text = "";
  /** The first character that is not consumed. */
  at = 0;
  /** Where in the answer the text begins. */
  base = 0;
  isEnd = false;
  /** Whether the end is a break: the upstream said so, or its connection did. */
  isTruncated = false;
  atLineStart = true;

  /** Where in the answer the cursor stands. */
  get offset(): number {
    return this.base + this.at;
  }

  /** More of the answer has come; what was consumed is dropped. */
  append(text: string): void {
    if (this.at > 0) {
      this.atLineStart = this.text.charCodeAt(this.at - 1) === 0x0a;
      this.base += this.at;
      this.text = this.text.slice(this.at);
      this.at = 0;
    }
    this.text = this.text === "" ? text : this.text + text;
  }

  /** Consumes the text up to an index and gives it. */
  take(to: number): string {
    const taken = this.text.slice(this.at, to);
    this.at = to;
    return taken;
  }

  /** Gives back text that had been consumed: it stands before what is at hand again. */
  restore(text: string, options: { offset: number; atLineStart: boolean }): void {
    this.text = text + this.text.slice(this.at);
    this.at = 0;
    this.base = options.offset;
    this.atLineStart = options.atLineStart;
  }

  /** Whether the character at an index stands at the start of a line. */
  isLineStart(index: number): boolean {
    return index === 0 ? this.atLineStart : this.text.charCodeAt(index - 1) === 0x0a;
  }
}
