/**
 * Finds where a text names an offered tool in the position of a call. How the name is led up to is the evidence.
 *
 *     tag       <function=read>, <read>, <invoke name="read">
 *     mark      <tool_call>read, <|tool_call_begin|>functions.read:0
 *     bracket   [read, [Calling tool: read
 *     label     Action: read, to=functions.read, call:read
 *     line      read, alone at the beginning of a line
 *     json      "name": "read"
 *     next      …), read(: another call in a list
 *
 * @module
 */
import { groupBy } from "../object/group.ts";
import type { OfferedTool } from "../tool/offered.ts";
import { declares } from "../tool/schema.ts";
import {
  indexWithin,
  isBlank,
  isBlankBetween,
  isDigit,
  isLetter,
  isWordCharacter,
  skipBlankBack,
  skipSpaces,
  wordBefore,
  wordEnd,
  wordStart,
} from "./characters.ts";
import { hasCallPart, isCallWord } from "./call_word.ts";
import { endsThoughts, type Mark } from "./mark.ts";
import { plainName, type ToolsByName } from "./tool_fit.ts";

export type Lead = "tag" | "mark" | "bracket" | "label" | "line" | "json" | "next";

export interface Place {
  readonly tool: OfferedTool;
  readonly lead: Lead;
  /** Where what leads up to the name begins. */
  readonly start: number;
  /** Where the name begins. */
  readonly at: number;
  /** The end of the name, or of the mark that holds it. */
  readonly end: number;
  /** The mark that holds the name or comes directly before it. */
  readonly mark?: Mark;
  /** Whether the mark that holds the name states it with a sign too many or too few. */
  readonly isDamaged?: boolean;
  /** The name's own beginning where `start` is that of tokens far before it. */
  readonly from?: number;
}

const TOKEN_QUOTE = '<|"|>';

/** What a name can have before it as a part of it. The longest come first. */
const PREFIXES = [
  "to=functions.",
  "default_api.",
  "default_api:",
  "functions.",
  "functions:",
  "function.",
  "function:",
  "function=",
  "function ",
  "function",
  "tools.",
  "tool.",
  "call:",
  "::",
];

/** Beginnings of marks that can lose the sign before a name: `<functionread>`. */
const GLUED = ["<function", "<invoke"];

const LABEL_MAXIMUM = 64;

/** All places of names, in the order of the text. Linear in the text, apart from tools whose names begin alike. */
export function findPlaces(text: string, tools: ToolsByName, marks: readonly Mark[]): Place[] {
  const byBeginning = groupBy(
    [...tools.keys()].filter((name) => name !== "").sort((a, b) => b.length - a.length),
    (name) => name[0]!,
  );
  const places: Place[] = [];
  let next = 0;
  let line = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\n") line = at + 1;
    const isInWord = isWordCharacter(text[at - 1]) || text[at - 1] === "-";
    if (isInWord && wordBefore(text, at, GLUED) === undefined) continue;
    const name = byBeginning.get(text[at]!)?.find((one) =>
      text.startsWith(one, at) &&
      (!isWordCharacter(text[at + one.length]) || hasKey(text, at + one.length, tools.get(one)!))
    );
    if (name === undefined) continue;
    while (next < marks.length && marks[next]!.end <= at) next++;
    const place = placeOf({
      text,
      at,
      name,
      tool: tools.get(name)!,
      holder: marks[next],
      before: marks[next - 1],
      line,
    });
    if (place !== undefined) places.push(place);
    at += name.length - 1;
  }
  return places;
}

/** `readpath</key>`: a parameter's name, with its closer, directly after a tool's. */
function hasKey(text: string, at: number, { schema }: OfferedTool): boolean {
  const end = wordEnd(text, at);
  return text.startsWith("</", end) && schema !== undefined && declares(schema, text.slice(at, end));
}

interface Named {
  readonly text: string;
  readonly at: number;
  /** Where the line of the name begins. */
  readonly line: number;
  readonly name: string;
  readonly tool: OfferedTool;
  /** The first mark that ends after the name's beginning. */
  readonly holder: Mark | undefined;
  /** The last mark that ends before it. */
  readonly before: Mark | undefined;
}

function placeOf(named: Named): Place | undefined {
  const { text, at, name, tool, holder, before } = named;
  const end = at + name.length;
  if (holder !== undefined && holder.start <= at && end <= holder.end) {
    const stated = holder.named === undefined ? holder.word : plainName(holder.named);
    const isDamaged = stated !== name;
    if (holder.isCloser || (isDamaged && !isNameOf(holder, name))) return undefined;
    return { tool, start: holder.start, end: holder.end, lead: "tag", mark: holder, at, isDamaged };
  }
  const prefix = wordBefore(text, at, PREFIXES) ?? "";
  const from = at - prefix.length;
  if (text.startsWith(TOKEN_QUOTE, from - TOKEN_QUOTE.length) && text.startsWith(TOKEN_QUOTE, end)) {
    return { tool, start: from - TOKEN_QUOTE.length, end: end + TOKEN_QUOTE.length, lead: "json", at };
  }
  if (isQuotedValue(text, from)) return { tool, start: from - 1, end, lead: "json", at };
  const half = halfTag(named);
  if (half !== undefined) return { tool, start: half, end, lead: "json", at };
  if (before !== undefined && isDirectlyAfter(text, before, { from, end })) {
    return { tool, start: before.start, end, lead: "mark", mark: before, at };
  }
  return placeInLine(named, { from, prefix });
}

/** `function=read>`, `=read">`: where the rest of a tag begins its line whose bracket is lost. */
function halfTag({ text, at, name, line }: Named): number | undefined {
  const end = at + name.length;
  const word = wordStart(text, at - 1, line);
  const isHalf = text[at - 1] === "=" && text[text[end] === '"' ? end + 1 : end] === ">" &&
    isBlankBetween(text, line, word) && (word === at - 1 || isCallWord(text.slice(word, at - 1)));
  return isHalf ? word : undefined;
}

/** `<invoke name=="read">`, `<invoke name"read">`, `<invoke nam="read">`: a call's mark that names nothing else. */
function isNameOf({ word, named, attributes }: Mark, name: string): boolean {
  if (!hasCallPart(word)) return false;
  if (named !== undefined) return named.split(name).every((rest) => ![...rest].some(isWordCharacter));
  const values = Object.values(attributes);
  return values.length === 0 || values.includes(name);
}

/** `: "read`, `["read`, `="read`. */
function isQuotedValue(text: string, from: number): boolean {
  if (!"\"'“`".includes(text[from - 1] ?? " ")) return false;
  const sign = text[skipBlankBack(text, from - 1, Math.max(0, from - 6)) - 1];
  return sign !== undefined && ":{,=[(".includes(sign);
}

function isDirectlyAfter(
  text: string,
  mark: Mark,
  { from, end }: { readonly from: number; readonly end: number },
): boolean {
  if (
    from < mark.end || from - mark.end >= 8 || mark.named !== undefined || endsThoughts(mark) ||
    !isBlankBetween(text, mark.end, from)
  ) return false;
  return !isProse(text, end);
}

/** Whether a sentence goes on after a name: ` the file`. Not ` with {`, ` json {` and ` (`. */
function isProse(text: string, end: number): boolean {
  const space = "\"'”".includes(text[end] ?? " ") && text[end] !== undefined ? end + 1 : end;
  const at = skipSpaces(text, space);
  if (at === space || (!isLetter(text[at]) && !isDigit(text[at]))) return false;
  const wordAfter = wordEnd(text, at);
  const word = text.slice(at, wordAfter);
  return word !== "with" && word !== "json" && !text.startsWith("</", wordAfter);
}

function placeInLine(
  { text, at, line: begin, name, tool, before }: Named,
  { from, prefix }: { readonly from: number; readonly prefix: string },
): Place | undefined {
  const end = at + name.length;
  if (isBlankBetween(text, begin, from)) {
    const isLabel = prefix !== "" && prefix !== "function ";
    return { tool, start: from, end, lead: isLabel ? "label" : "line", at };
  }
  const bracket = bracketBefore(text, begin, from);
  if (bracket !== undefined) {
    const isAfterMark = before !== undefined && before.end >= begin &&
      isBlankBetween(text, before.end, bracket);
    if (isBlankBetween(text, begin, bracket) || isAfterMark) {
      return { tool, start: bracket, end, lead: "bracket", at };
    }
  }
  if (isLabel(text, begin, from)) return { tool, start: begin, end, lead: "label", at };
  const sign = skipBlankBack(text, from, Math.max(0, from - 8));
  if (",;".includes(text[sign - 1] ?? " ") && text[end] === "(") {
    return { tool, start: from, end, lead: "next", at };
  }
  const called = wordBefore(text, at, ["to=functions.", "call:"]);
  if (called === undefined) return undefined;
  const word = text[at - called.length - 1];
  if (word !== undefined && !isBlank(word) && !".…>".includes(word)) return undefined;
  const tokens = tokensBefore(text, at - called.length);
  if (tokens === undefined) return { tool, start: from, end, lead: "label", at };
  return { tool, start: tokens, end, lead: "mark", at, from, ...(before && { mark: before }) };
}

/** Where the bracket opens before a name: `[`, `[Calling tool: "`. */
function bracketBefore(text: string, begin: number, from: number): number | undefined {
  const least = Math.max(begin, from - LABEL_MAXIMUM);
  let open = from - 1;
  while (open >= least && text[open] !== "[") open--;
  if (open < least) return undefined;
  const words = text.slice(open + 1, from).trim();
  const bare = "\"'`".includes(words.at(-1) ?? " ") ? words.slice(0, -1).trimEnd() : words;
  const label = ":=".includes(bare.at(-1) ?? " ") ? bare.slice(0, -1) : bare;
  return label === "" || isWords(label, 3) ? open : undefined;
}

/** `Action: `, `**Tool Call**: "`: one to three words with their sign, from the line's beginning to the name. */
function isLabel(text: string, begin: number, from: number): boolean {
  if (from - begin > LABEL_MAXIMUM) return false;
  const line = text.slice(begin, from).replaceAll("*", "").replaceAll("#", "").trim();
  const bare = "\"'`".includes(line.at(-1) ?? " ") ? line.slice(0, -1).trimEnd() : line;
  return ":=".includes(bare.at(-1) ?? " ") && isWords(bare.slice(0, -1).trimEnd(), 3);
}

function isWords(text: string, most: number): boolean {
  const words = text.split(" ");
  return words.length <= most &&
    words.every((word) =>
      word.length >= 2 && word.length <= 16 && [...word].every((sign) => isLetter(sign) || sign === "_")
    );
}

/** Where a run of special tokens with a word after each begins: `<|start|>assistant<|channel|>commentary `. */
function tokensBefore(text: string, end: number): number | undefined {
  let at = end;
  for (;;) {
    let word = at;
    while (word > 0 && at - word <= 24 && (isWordCharacter(text[word - 1]) || text[word - 1] === " ")) word--;
    const open = text[word - 1] === ">" && "|｜".includes(text[word - 2] ?? " ")
      ? text.lastIndexOf("<", word - 1)
      : -1;
    const isToken = open >= 0 && word - open <= 44 && end - open <= 200 && "|｜".includes(text[open + 1]!);
    if (!isToken) return at === end ? undefined : at;
    at = open;
  }
}

/** The offset after whitespace, marks, labels and the opening of a fence between a name and its arguments. */
export function skipGap(text: string, from: number, options: GapOptions): Gap {
  const limit = Math.min(text.length, from + 160);
  let at = numberEnd(text, from);
  let words = 0;
  let marks = 0;
  let isFenced = false;
  while (at < limit) {
    const mark = options.markAt(at);
    if (mark !== undefined) {
      if (options.isKey(mark)) return { at, isKey: true, isFenced };
      at = mark.end;
      marks++;
      continue;
    }
    const fence = fenceEnd(text, at);
    const sign = text[at]!;
    const end = fence ?? gapEnd(text, at, { marks, words });
    if (fence !== undefined) isFenced = true;
    if (end === undefined) break;
    if (isLetter(sign)) words++;
    at = end;
  }
  return { at, isKey: false, isFenced };
}

interface GapOptions {
  readonly markAt: (at: number) => Mark | undefined;
  /** Whether a mark names a parameter. */
  readonly isKey: (mark: Mark) => boolean;
}

export interface Gap {
  readonly at: number;
  /** Whether a parameter's mark is there. */
  readonly isKey: boolean;
  /** Whether the opening of a fence was passed. */
  readonly isFenced: boolean;
}

const GAP_WORDS = [
  "Action Input",
  "Input",
  "Args",
  "ARGS",
  "with",
  "arguments",
  "argument",
  "args",
  "parameters",
  "parameter",
  "params",
  "param",
  "inputs",
  "input",
  "action",
  "and",
  "the",
  "following",
  "json",
  "code",
  "function",
  "tool",
  "is",
  "as",
];

function gapEnd(
  text: string,
  at: number,
  { marks, words }: { readonly marks: number; readonly words: number },
): number | undefined {
  const sign = text[at]!;
  if (isBlank(sign) || ":=,]*>\"'`-".includes(sign)) {
    const number = sign === ":" && isDigit(text[at + 1]) ? at + 1 : at;
    return number === at ? at + 1 : digitsEnd(text, number);
  }
  if (sign === "#" || isDigit(sign)) {
    const end = digitsEnd(text, sign === "#" ? at + 1 : at);
    return end > at + (sign === "#" ? 1 : 0) ? end : undefined;
  }
  if (sign === "(") {
    const close = indexWithin(text, ")", at, 62);
    const inner = close > 0 && close - at <= 61 ? text.slice(at + 1, close) : "{";
    const isRemark = inner !== "" && ![..."(){}=\n"].some((one) => inner.includes(one)) &&
      "]:".includes(text[close + 1] ?? " ");
    return isRemark ? close + 1 : undefined;
  }
  if (!isLetter(sign)) return undefined;
  const end = wordEnd(text, at);
  if (marks > 0 && end - at <= 16) {
    const second = text[end] === " " ? wordEnd(text, end + 1) : end;
    const token = skipSpaces(text, second);
    if (text[token] === "<" && "|｜".includes(text[token + 1] ?? " ")) return token;
  }
  if (text.startsWith("call_", at)) return end;
  const known = words < 5 &&
    GAP_WORDS.find((word) =>
      text.slice(at, at + word.length).toLowerCase() === word.toLowerCase() &&
      !isWordCharacter(text[at + word.length])
    );
  return known ? at + known.length : undefined;
}

/** `!166`: the offset after the number of a call, whatever sign is before it. */
function numberEnd(text: string, at: number): number {
  return isDigit(text[at + 1]) && !isBlank(text[at]) && !"([{<=,\"'".includes(text[at]!)
    ? digitsEnd(text, at + 1)
    : at;
}

function digitsEnd(text: string, at: number): number {
  while (isDigit(text[at])) at++;
  return at;
}

/** The offset after the line that opens a fence of data. */
function fenceEnd(text: string, at: number): number | undefined {
  if (!text.startsWith("```", at)) return undefined;
  let end = at + 3;
  while ((text[end]! >= "a" && text[end]! <= "z") || text[end] === "_") end++;
  end = skipSpaces(text, end);
  return text[end] === "\n" && end - at < 20 ? end + 1 : undefined;
}
