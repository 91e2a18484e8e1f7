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
import { isDigit } from "../pattern/characters.ts";
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
  let hasMarks = false;
  for (let from = 0; from + 1 < lines.length;) {
    const marks = marksOf(lines[from]!, lines[from + 1]!);
    const to = marks === undefined ? from : runEnd(lines, from, marks.before);
    if (marks === undefined || to < from + 2) {
      from++;
      continue;
    }
    hasMarks = true;
    for (; from < to; from++) lines[from] = strip(lines[from]!, marks);
  }
  return hasMarks || isBroken ? lines.join("\n") : undefined;
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
  const after = next.trimEnd().endsWith(rest) ? rest : "";
  if (before.trim() === "" && after === "") return undefined;
  return before.length > MARK_MAXIMUM ? undefined : { before, after };
}

function runEnd(lines: readonly string[], from: number, mark: string): number {
  let to = from + 1;
  while (to < lines.length && markLength(lines[to]!, mark) !== undefined) to++;
  return to;
}

function strip(line: string, { before, after }: Marks): string {
  const text = line.slice(markLength(line, before)).trimEnd();
  return after !== "" && text.endsWith(after) ? text.slice(0, -after.length).trimEnd() : text;
}

/** The length of a line's mark, in which numbers, separators and white space can differ. */
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

/** The end of a run of white space or digits. */
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
