/**
 * What closes a call after its last value, and whether it comes again where nothing opens it. Whitespace doesn't count.
 *
 * @module
 */
import { parseJson } from "../../engine/object/parse.ts";
import { isDigit, isLetter } from "../../engine/pattern/characters.ts";
import { isSpace } from "../../engine/pattern/node.ts";
import { TAG_BRACKETS } from "../near_miss/brackets.ts";

/** The marks around a call, without whitespace. */
export interface ClosingMarks {
  readonly opener: string;
  readonly closers: string;
}

/** A bracket that can be the whole mark after a value; a text has others of its kind. */
const BRACKET_ENDS: ReadonlySet<string> = new Set([")", "}", "`", ".", ";", ...TAG_BRACKETS.values()]);

/** What can begin a mark. */
const BRACKETS = "<[";

/**
 * The marks of a whole call.
 *
 * @returns undefined if its last value states where it ends
 */
export function closingMarksOf(
  call: string,
  { tool, json }: { readonly tool: string; readonly json: string },
): ClosingMarks | undefined {
  const entries = Object.entries(Object(parseJson(json)));
  const [key, value] = entries.at(-1) ?? [];
  if (key === undefined || typeof value !== "string") return undefined;
  const named = call.indexOf(tool);
  const keyed = call.indexOf(key, named < 0 ? 0 : named + tool.length);
  if (keyed < 0) return undefined;
  const closers = afterValue(call.slice(keyed + key.length), value, signOf(call, entries))?.trim() ?? "";
  const before = call.slice(0, named < 0 ? keyed : named).trim();
  const isQuoted = closers.startsWith('"') || closers.startsWith("'");
  if (closers === "" || isQuoted) return undefined;
  const opener = openerOf(before, named < 0 ? key : tool);
  return { opener, closers: compact(closers) };
}

/**
 * Whether an argument of a call is its own beginning, once more: where that has the form of a parameter, the value before it can
 * go on to there.
 *
 *     |tool| write_file⏎|content| x⏎|tool| write_file⏎y⏎|end|     `tool` isn't a parameter, but a line of the content
 */
export function beginsAgain(
  call: string,
  { tool, json }: { readonly tool: string; readonly json: string },
): boolean {
  const named = Math.max(0, call.indexOf(tool));
  const before = call.slice(call.lastIndexOf("\n", named - 1) + 1, named);
  const isAgain = ([key, value]: [string, unknown]) =>
    typeof value === "string" && value.trimStart().startsWith(tool) && before.includes(key);
  return Object.entries(Object(parseJson(json))).some(isAgain) &&
    compact(call.slice(named + tool.length)).includes(compact(before + tool));
}

/** What follows a value in the rest of its call; `sign` is between the key and the value of another parameter. */
function afterValue(text: string, value: string, sign: string): string | undefined {
  if (value === "") {
    if (sign !== "" && text.startsWith(sign)) return text.slice(sign.length);
    const line = text.indexOf("\n");
    const mark = [...text].findIndex((character) => BRACKETS.includes(character));
    return line >= 0 ? text.slice(line) : mark < 0 ? undefined : text.slice(mark);
  }
  const at = wordIn(text, value);
  if (at >= 0) return text.slice(at + value.length);
  // The lines of a value can be indented in the call.
  const line = value.trimEnd().slice(value.trimEnd().lastIndexOf("\n") + 1).trim();
  const from = text.lastIndexOf(line);
  return from < 0 || line === "" ? undefined : text.slice(from + line.length);
}

/** What is between the key and the value of the first parameter, if it isn't the last one. */
function signOf(call: string, [first, ...others]: readonly (readonly [string, unknown])[]): string {
  if (first === undefined || others.length === 0 || typeof first[1] !== "string" || first[1] === "") {
    return "";
  }
  const from = call.indexOf(first[0]) + first[0].length;
  const to = call.indexOf(first[1], from);
  return to < from ? "" : call.slice(from, to);
}

/** Where a text is in another one, not as a part of a word. */
function wordIn(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWord(text, at - 1) || !isWord(text, at)) {
      const end = at + word.length;
      if (!isWord(text, end - 1) || !isWord(text, end)) return at;
    }
  }
  return -1;
}

function isWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return isLetter(unit) || isDigit(unit);
}

/** The word of the last mark before a tool's name, which shows that a call begins; without one, the mark and the name. */
function openerOf(before: string, tool: string): string {
  const mark = compact(before.slice(Math.max(0, ...[...BRACKETS].map((one) => before.lastIndexOf(one)))));
  let end = mark.length;
  while (end > 0 && !isWord(mark, end - 1)) end--;
  return end > 0 ? mark.slice(0, end) : mark + tool;
}

/**
 * Whether what closes a call comes again after other text, and nothing in that text opens it.
 *
 * @param options `isWhole`: the text ends where the next call begins, or the answer
 */
export function comeAgain(
  text: string,
  { opener, closers }: ClosingMarks,
  { isWhole }: { readonly isWhole: boolean },
): boolean {
  const rest = compact(text);
  if (rest === closers) return false;
  // Fences come in pairs: their marks also open.
  const isPaired = opener.startsWith(closers);
  let open = 0;
  let repeated = 0;
  let unpaired = 0;
  for (let at = 0; at < rest.length;) {
    if (rest.startsWith(closers, at) && !(isPaired && rest.startsWith(opener, at))) {
      const isAlone = at === repeated;
      at += closers.length;
      if (open > 0) open--;
      else if (isPaired) unpaired++;
      else if (isAlone) repeated = at;
      // A bracket closes other things, too, but not at the end.
      else if (!BRACKET_ENDS.has(closers) || !isWhole || at === rest.length) return true;
    } else if (rest.startsWith(opener, at)) {
      open++;
      at += opener.length;
    } else at++;
  }
  return isWhole ? unpaired % 2 === 1 : unpaired > 0;
}

/** A text without whitespace. */
function compact(text: string): string {
  let kept = "";
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isSpace(text.charCodeAt(at))) continue;
    kept += text.slice(from, at);
    from = at + 1;
  }
  return kept;
}
