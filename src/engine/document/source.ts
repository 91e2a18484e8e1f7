/** A text with its lines, which turns offsets into locations for diagnostics. @module */
import type { Location } from "../diagnostic/diagnostic.ts";

/** A file's text that turns offsets into locations. */
export interface Source {
  readonly text: string;
  /** The location of `length` UTF-16 units at `offset`; it never extends beyond its line. */
  locate(offset: number, length: number): Location;
}

/** Splits a text into its lines (LF or CRLF) once, so that each lookup is a binary search. */
export function createSource(file: string, text: string): Source {
  const starts = [0];
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) {
    starts.push(index + 1);
  }
  return {
    text,
    locate(offset, length) {
      const place = Math.min(Math.max(offset, 0), text.length);
      const line = lineOf(starts, place);
      const start = starts[line] ?? 0;
      const next = starts[line + 1];
      const end = next === undefined ? text.length : next - 1;
      const content = text.slice(start, end > start && text[end - 1] === "\r" ? end - 1 : end);
      const column = Math.min(place - start, content.length);
      const room = Math.max(1, content.length - column);
      return {
        file,
        line: line + 1,
        column: column + 1,
        length: Math.min(Math.max(length, 1), room),
        text: content,
      };
    },
  };
}

/** The index of the last line that starts at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
