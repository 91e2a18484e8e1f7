/**
 * Wrong indentation, explained as that: the YAML parser finds one slip in several places and under several names.
 *
 *     examples:
 *       - name: one call
 *       offered: [f]        error here: expected under `name`
 *         input: …          found too, but only because of the line before
 *
 * @module
 */
import type { YAMLError } from "yaml";
import type { Location } from "../diagnostic/diagnostic.ts";
import type { Source } from "./source.ts";

/** The message of the parser for a line that starts at the wrong column. */
const CODES: readonly string[] = ["BAD_INDENT", "BLOCK_AS_IMPLICIT_KEY", "MULTILINE_IMPLICIT_KEY"];

/** A wrongly indented line, for people. */
interface IndentationProblem {
  readonly message: string;
  /** Its first word. */
  readonly location: Location;
  /** Where it should begin. */
  readonly help: string;
}

/** Whether an error comes from a line that begins at the wrong column. */
export function isIndentation(error: YAMLError): boolean {
  if (isLostItem(error)) return true;
  // A bracket that is not closed has its own message.
  return CODES.includes(error.code) && !/closing|and end with/.test(error.message);
}

/** A line between the columns of a list's dash and of its keys. */
function isLostItem({ message }: YAMLError): boolean {
  return message.startsWith("Sequence item without - indicator");
}

/** The line that an error comes from; undefined where indentation is not the cause. */
export function explainIndentation(error: YAMLError, source: Source): IndentationProblem | undefined {
  const lines = linesOf(source.text);
  const noticed = lines.findLastIndex((line) => line.start <= error.pos[0]);
  // A text that holds a colon looks like a key in a key; then the next line is what is indented too deep.
  const wrong = error.code === "BAD_INDENT" || isLostItem(error) ? lines[noticed] : nextLine(lines, noticed);
  const before = wrong && previousLine(lines, lines.indexOf(wrong));
  if (!wrong || !before || wrong.column === before.column) return undefined;
  const neighbor = wrong.column > before.column
    ? before
    : lines.slice(0, lines.indexOf(wrong)).findLast((line) => line.word !== "" && line.column > wrong.column);
  if (!neighbor) return undefined;
  const anchor = nearest(lines, { wrong, neighbor });
  return {
    message: `\`${wrong.word}\` begins at column ${wrong.column + 1}, where nothing can begin`,
    location: source.locate(wrong.start + wrong.column, wrong.word.length),
    help: `begin it at column ${anchor.column + 1}, under \`${anchor.word}\``,
  };
}

interface Line {
  readonly start: number;
  /** How many characters stand before its first key, the dash of a list included. */
  readonly column: number;
  /** Its first key or word; empty for a blank line or a comment. */
  readonly word: string;
}

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const [, space = "", word = ""] = /^(\s*(?:-\s+)*)([^\s:#]*)/.exec(line) ?? [];
    const found = { start, column: space.length, word };
    start += line.length + 1;
    return found;
  });
}

function nextLine(lines: readonly Line[], index: number): Line | undefined {
  return lines.slice(index + 1).find(({ word }) => word !== "");
}

function previousLine(lines: readonly Line[], index: number): Line | undefined {
  return lines.slice(0, index).findLast(({ word }) => word !== "");
}

/** Of the lines before, the last one of the column that the neighbor has. */
function nearest(lines: readonly Line[], about: { wrong: Line; neighbor: Line }): Line {
  const { wrong, neighbor } = about;
  const before = lines.slice(0, lines.indexOf(wrong));
  return before.findLast(({ word, column }) => word !== "" && column === neighbor.column) ?? neighbor;
}
