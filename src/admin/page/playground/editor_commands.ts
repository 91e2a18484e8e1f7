/** What keys of the editor do to its text, and places in a text. @module */

/** A text with what is selected in it. */
export interface Selected {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const STEP = "  ";

/** A stretch replaced by another text, with the cursor after it. */
export function replaceStretch(
  text: string,
  [from, to]: readonly [number, number],
  insert: string,
): Selected {
  const at = from + insert.length;
  return { text: text.slice(0, from) + insert + text.slice(to), start: at, end: at };
}

/** A new line as far to the right as the one before it. */
export function breakLine({ text, start, end }: Selected): Selected {
  const indentation = /^ */.exec(text.slice(lineStart(text, start), start))?.[0] ?? "";
  return replaceStretch(text, [start, end], `\n${indentation}`);
}

/** The selected lines, one step further to the right or to the left. */
export function indent({ text, start, end }: Selected, isMore: boolean): Selected {
  const from = lineStart(text, start);
  const next = text.indexOf("\n", end);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split("\n");
  const moved = lines.map((line) => isMore ? STEP + line : line.replace(/^ {1,2}/, ""));
  const changed = replaceStretch(text, [from, to], moved.join("\n"));
  const startsAt = Math.max(from, start + (moved[0] ?? "").length - (lines[0] ?? "").length);
  return { ...changed, start: startsAt, end: Math.max(startsAt, end + changed.text.length - text.length) };
}

/** The offset of a place, both from 1; one after the end of its line is that end. */
export function offsetOf(text: string, line: number, column: number): number {
  const lines = text.split("\n");
  const index = Math.min(Math.max(line, 1), lines.length) - 1;
  const start = lines.slice(0, index).reduce((sum, { length }) => sum + length + 1, 0);
  return start + Math.min(column - 1, lines[index]?.length ?? 0);
}

/** The line of an offset and the column in it, both from 0. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}
