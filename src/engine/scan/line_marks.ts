/**
 * Removes what a program adds before and after each line that it shows: a file name, a line number, a time, a comment
 * mark or a quote. The marks are learned from a line with markup.
 *
 *     docs/page.md:12:<tool_call>        | <tool_call> |        "<tool_call>",
 *     docs/page.md:13:<function=f>       | <function=f> |       "<function=f>",
 *     ^^^^^^^^^^^^^^^^                   ^^            ^^       ^             ^^
 *
 * @module
 */
import { isDigit, isLetter } from "../pattern/characters.ts";
import { isSpace } from "../pattern/node.ts";

/** The characters that begin markup after a mark, most certain first. */
const MARKUP = ["<", "{", "["];
const MARKUP_ENDS = [">", "}", "]"];

const MARK_MAXIMUM = 256;

/** Characters that programs use alternately after a line number: `12:` is a match, `13-` is next to one. */
const SEPARATORS = ":-|+";

/**
 * The text without its line marks.
 *
 * @param text a text without escapes
 * @returns undefined if it has no marks
 */
export function withoutLineMarks(text: string): string | undefined {
  const lines = linesOf(text);
  const isBroken = lines.length > 1 && text.includes("<br");
  let known: Marks | undefined;
  for (const [index, line] of lines.entries()) {
    // A line without the marks can be part of a longer one whose line breaks were escaped.
    const isKnown = known !== undefined && markLength(line, known.before) !== undefined;
    const learned = isKnown ? undefined : learn(line, [lines[index + 1] ?? "", lines[index - 1] ?? ""]);
    known = learned ?? known;
    if (known === undefined) continue;
    lines[index] = strip(line, known);
    if (learned !== undefined) stripBefore(lines, index, learned);
  }
  return known !== undefined || isBroken ? lines.join("\n") : undefined;
}

/** The marks of a line that one next to it has, too. The text can begin in a string of JSON, in the middle of a line. */
function learn(line: string, neighbors: readonly [next: string, previous: string]): Marks | undefined {
  const marks = marksOf(line, neighbors[0]);
  if (marks === undefined) return undefined;
  const inString = marks.before.slice(marks.before.lastIndexOf('"') + 1);
  return [marks.before, inString].map((before) => ({ ...marks, before })).find((found) =>
    (found.before.trim() !== "" || found.after !== "") && neighbors.some((other) => hasMarks(other, found))
  );
}

/** Strips the lines before the first one with markup, as far as they have its marks. */
function stripBefore(lines: string[], index: number, marks: Marks): void {
  for (let at = index - 1; at >= 0 && hasMarks(lines[at]!, marks); at--) lines[at] = strip(lines[at]!, marks);
}

/** The text before and after the markup of a line. */
interface Marks {
  readonly before: string;
  readonly after: string;
}

/** The marks of a line with markup. The text after it is a mark only if the next line has it too. */
function marksOf(line: string, next: string): Marks | undefined {
  const sign = MARKUP.findIndex((sign) => line.includes(sign));
  if (sign < 0) return undefined;
  const before = line.slice(0, line.indexOf(MARKUP[sign]!));
  const end = line.lastIndexOf(MARKUP_ENDS[sign]!);
  const rest = end < 0 ? "" : line.slice(end + 1).trim();
  const after = commonEnd(rest, next.trimEnd());
  if (before.trim() === "" && after === "") return undefined;
  return before.length > MARK_MAXIMUM ? undefined : { before, after };
}

/** The end that two texts share: all of the first one, or the marks at its end. */
function commonEnd(text: string, other: string): string {
  if (other.endsWith(text)) return text;
  let length = 0;
  while (length < text.length && text.at(-1 - length) === other.at(-1 - length)) {
    const unit = text.charCodeAt(text.length - 1 - length);
    if (isDigit(unit) || isLetter(unit)) break;
    length++;
  }
  return length === 0 ? "" : text.slice(-length).trimStart();
}

function hasMarks(line: string, { before }: Marks): boolean {
  return markLength(line.slice(stringStart(line, before)), before) !== undefined;
}

function strip(line: string, { before, after }: Marks): string {
  const from = stringStart(line, before);
  const length = markLength(line.slice(from), before);
  if (length === undefined) return line;
  const text = line.slice(from + length).trimEnd();
  const stripped = after !== "" && text.endsWith(after) ? text.slice(0, -after.length).trimEnd() : text;
  return line.slice(0, from) + stripped;
}

/** The index at which a line can begin with a mark: after the quote of a string of JSON, or 0. */
function stringStart(line: string, mark: string): number {
  if (markLength(line, mark) !== undefined) return 0;
  return line.slice(0, MARK_MAXIMUM).lastIndexOf('"', line.length - mark.length) + 1;
}

/** The length of a line's mark, in which numbers, separators and whitespace can differ. */
function markLength(line: string, mark: string): number | undefined {
  let at = 0;
  for (let index = 0; index < mark.length;) {
    const end = runOf(mark, index);
    const isGap = isSpace(mark.charCodeAt(index));
    const isNumber = isDigit(mark.charCodeAt(index));
    if (isGap || isNumber) {
      const next = isGap === isSpace(line.charCodeAt(at)) && isNumber === isDigit(line.charCodeAt(at))
        ? runOf(line, at)
        : at;
      if (isNumber && next === at) return undefined;
      at = next;
    } else if (line[at] === mark[index] || areSeparators(line[at], mark[index])) at++;
    else return undefined;
    index = isGap || isNumber ? end : index + 1;
  }
  return at;
}

/** The end of a run of whitespace or digits. */
function runOf(text: string, from: number): number {
  let end = from;
  const isNumber = isDigit(text.charCodeAt(from));
  while (end < text.length && (isNumber ? isDigit : isSpace)(text.charCodeAt(end))) end++;
  return end;
}

function areSeparators(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && SEPARATORS.includes(one) && SEPARATORS.includes(other);
}

/** Splits a text at its line breaks, including those of HTML. */
function linesOf(text: string): string[] {
  return text.split("<br").flatMap((part, index) => {
    const end = part.indexOf(">");
    const isTag = index > 0 && end >= 0 && part.slice(0, end).replace("/", "").trim() === "";
    return (isTag ? part.slice(end + 1) : index > 0 ? `<br${part}` : part).split("\n");
  });
}
