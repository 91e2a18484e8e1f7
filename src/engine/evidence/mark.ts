/**
 * Finds the marks of a text: tags, special tokens and words in brackets, also those that lost their last character. A mark
 * is known by its word alone, without the namespace, bars and signs around it, so that one reader serves all dialects.
 *
 *     <parameter=path>            word "parameter", named "path"
 *     <｜DSML｜invoke name="run">   word "invoke", named "run", special
 *     <|tool_call_end|>           word "tool_call", a closer
 *     [/TOOL_CALLS]               word "TOOL_CALLS", a closer, special; also in two brackets
 *     {"function=read>            word "function", named "read"
 *     <tool_call\n                word "tool_call", broken: the line ends before its ">"
 *
 * @module
 */
import { indexWithin, isBlank, isLetter, isSurrogate, skipBlank, skipSpaces, wordEnd } from "./characters.ts";

export interface Mark {
  readonly start: number;
  readonly end: number;
  readonly isCloser: boolean;
  /** Ends in `/>`. */
  readonly isEmpty: boolean;
  /** Has no end of its own: a line break, a bracket or another mark comes first. */
  readonly isBroken: boolean;
  /** A special token: bars or square brackets. */
  readonly isSpecial: boolean;
  /** Comes after `]<]word[>[`, which some models write before each of their tags. */
  readonly isPrefixed: boolean;
  readonly word: string;
  /** What `=name`, an attribute for a name or a lone word after the mark's own word states. */
  readonly named: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

const LENGTH_MAXIMUM = 240;
const BROKEN_MAXIMUM = 82;
const QUOTED_MAXIMUM = 120;
const BARS = "|｜‖";
const ENDS = ["_end", ":end", "end", "_END", "END"];
const BEGINS = ["_begin", ":begin", "_start", ":start", "_value", "begin", "start"];
const NAMESPACE_MAXIMUM = 24;
const NAME_ATTRIBUTES = ["name", "key", "tool", "function"];
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”" };

/** All marks of a text, in order; none overlap. Linear in the text. */
export function findMarks(text: string): Mark[] {
  const marks: Mark[] = [];
  let at = 0;
  while (at < text.length) {
    const sign = text[at];
    const mark = sign === "<"
      ? readTag(text, at)
      : sign === "[" || sign === "]"
      ? readBracket(text, at)
      : sign === "{"
      ? readHalfObject(text, at)
      : undefined;
    if (mark !== undefined) marks.push(mark);
    at = mark?.end ?? at + 1;
  }
  return marks;
}

/** `{"function=read>`: a tag that began as an object. */
function readHalfObject(text: string, start: number): Mark | undefined {
  const end = wordEnd(text, start + 2);
  if (text[start + 1] !== '"' || text[end] !== "=" || end === start + 2) return undefined;
  const tag = readTag(text, start + 1);
  return tag?.isBroken === false && tag.named !== undefined ? { ...tag, start } : undefined;
}

/** `[TOOL_CALLS]`, `[/tool_call]`, `[[TOOL_CALLS]]`, or the tag after `]<]word[>[`. */
function readBracket(text: string, start: number): Mark | undefined {
  if (text[start] === "]") {
    if (!text.startsWith("]<]", start)) return undefined;
    const end = indexWithin(text, "[>[", start, 24);
    if (end < 0 || end - start > 20 || text[end + 3] !== "<") return undefined;
    const tag = readTag(text, end + 3);
    return tag && { ...tag, start, isPrefixed: true };
  }
  const brackets = text[start + 1] === "[" ? 2 : 1;
  const isCloser = text[start + brackets] === "/";
  const from = start + brackets + (isCloser ? 1 : 0);
  let at = from;
  while (
    text[at] === "_" || (text[at]! >= "A" && text[at]! <= "Z") || (text[at]! >= "a" && text[at]! <= "z")
  ) at++;
  const word = text.slice(from, at);
  if (!text.startsWith("]".repeat(brackets), at) || !isBracketWord(word)) return undefined;
  return { ...PLAIN, start, end: at + brackets, isCloser, isSpecial: true, word };
}

/** What ends a word of small letters that is a mark in brackets: `[tool_call]`, not `[tool_name]`. */
const BRACKET_ENDS = ["_call", "_calls", "_use", "_request"];

/** Whether brackets around a word are a mark: it is in capitals, or names a call. */
export function isBracketWord(word: string): boolean {
  return word.length >= 3 && word.length <= 41 &&
    (word === word.toUpperCase() || BRACKET_ENDS.some((end) => word.endsWith(end)));
}

/** Whether what follows a mark is the answer's own beginning. */
export function endsThoughts({ isCloser, word }: Mark): boolean {
  return isCloser && word === "think";
}

/** Where the answer begins: after a mark that ends thoughts, or with the text. */
export function answerStart(before: Mark | undefined): number {
  return before !== undefined && endsThoughts(before) ? before.end : 0;
}

/** The marks of a part of a text whose marks are known, and where their places count from. */
export function marksWithin(
  { text, marks }: { readonly text: string; readonly marks: readonly Mark[] },
  { start, end }: Pick<Mark, "start" | "end">,
): { readonly marks: readonly Mark[]; readonly base: number } {
  const first = indexFrom(marks, start);
  const last = indexFrom(marks, end);
  const isCut = (marks[first - 1]?.end ?? 0) > start || (marks[last - 1]?.end ?? 0) > end;
  const endsWithMark = end === text.length || marks[last]?.start === end;
  if (isCut || !endsWithMark) return { marks: findMarks(text.slice(start, end)), base: start };
  return { marks: marks.slice(first, last), base: 0 };
}

/** The index of the first mark that doesn't begin before a place. */
function indexFrom(marks: readonly Mark[], place: number): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle]!.start < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

const PLAIN = { isEmpty: false, isBroken: false, isPrefixed: false, named: undefined, attributes: {} };

function readTag(text: string, start: number): Mark | undefined {
  const first = text[start + 1];
  if (first === undefined || first === "<" || text.startsWith("<![CDATA", start)) return undefined;
  if (isBlank(first) && !`/${BARS}`.includes(text[skipSpaces(text, start + 1)] ?? " ")) return undefined;
  const { end, isBroken } = tagEnd(text, start + 1);
  const inner = text.slice(start + 1, end);
  if (isBroken && (end - start > BROKEN_MAXIMUM || !canBreakOff(inner))) return undefined;
  const mark = readInner(inner, isBroken);
  return mark && { ...mark, start, end: isBroken ? end : end + 1, isBroken, isPrefixed: false };
}

/** Where a tag's text ends: at its `>`, or at what no tag contains. Quoted values of attributes may contain anything. */
function tagEnd(text: string, from: number): { readonly end: number; readonly isBroken: boolean } {
  let at = from;
  while (at < text.length && at - from <= LENGTH_MAXIMUM) {
    const sign = text[at]!;
    if (sign === ">") return { end: at, isBroken: false };
    if ("<\n{(".includes(sign)) break;
    at++;
    if (sign === "=") {
      const quote = skipSpaces(text, at);
      const close = `"'`.includes(text[quote] ?? "x")
        ? indexWithin(text, text[quote]!, quote + 1, QUOTED_MAXIMUM)
        : -1;
      const isQuoted = close > 0 && close - quote <= QUOTED_MAXIMUM &&
        !text.slice(quote, close).includes("\n");
      if (isQuoted) at = close + 1;
    }
  }
  return { end: at, isBroken: true };
}

function canBreakOff(inner: string): boolean {
  let at = inner.startsWith("/") ? 1 : 0;
  while (BARS.includes(inner[at] ?? " ")) at++;
  const sign = inner[at] ?? " ";
  return sign === "_" || (sign >= "a" && sign <= "z") || (sign >= "A" && sign <= "Z");
}

type Inner = Omit<Mark, "start" | "end" | "isBroken" | "isPrefixed">;

function readInner(whole: string, isBroken: boolean): Inner | undefined {
  let inner = whole.trim();
  let isCloser = false;
  const takeSlash = () => {
    if (!inner.startsWith("/")) return;
    isCloser = true;
    inner = inner.slice(1).trim();
  };
  takeSlash();
  const lead = leadingBars(inner);
  inner = inner.slice(lead);
  const trail = trailingBars(inner);
  if (trail > 0 && lead === 0 && !isBroken) isCloser = true;
  inner = inner.slice(0, inner.length - trail).trim();
  takeSlash();
  const isEmpty = inner.endsWith("/");
  if (isEmpty) inner = inner.slice(0, -1).trim();
  if (isBroken) { while (inner.endsWith("=") || inner.endsWith(":")) inner = inner.slice(0, -1).trimEnd(); }
  const isSpecial = lead > 0 || trail > 0;
  inner = inner.slice(foreignNamespace(inner));
  let at = `"'`.includes(inner[0] ?? " ") ? 1 : 0;
  const from = at;
  while (inner[at] === "-" && at - from < 2) at++;
  if (!isLetter(inner[at]) && inner[at] !== "_" && inner[at] !== "▁") return undefined;
  at = wordEnd(inner, at, "▁.:-");
  const plain = plainWord(inner.slice(from, at).replaceAll("▁", "_"), isSpecial);
  if (`"'`.includes(inner[at] ?? " ")) at++;
  const { named, attributes } = readRest(inner.slice(at));
  return { isCloser: isCloser || plain.isCloser, isEmpty, isSpecial, word: plain.word, named, attributes };
}

/** `𝑛𝑠:`: the length of a namespace whose signs are all beyond the alphabets of names. */
function foreignNamespace(inner: string): number {
  let at = 0;
  while (isSurrogate(inner[at]) && at < NAMESPACE_MAXIMUM) at++;
  return at > 0 && inner[at] === ":" ? at + 1 : 0;
}

/** `|`, `｜DSML｜`: the length of the bars at the beginning, with the capitals between them. */
function leadingBars(inner: string): number {
  let at = 0;
  while (at < inner.length && BARS.includes(inner[at]!)) at++;
  if (at === 0) return 0;
  const bars = skipBlank(inner, at);
  let end = bars;
  while (inner[end]! >= "A" && inner[end]! <= "Z") end++;
  const more = skipBlank(inner, end);
  if (end - bars < 2 || end - bars > 8 || !BARS.includes(inner[more] ?? " ")) return bars;
  let last = more;
  while (BARS.includes(inner[last] ?? " ")) last++;
  return skipBlank(inner, last);
}

function trailingBars(inner: string): number {
  let at = inner.length;
  while (at > 0 && BARS.includes(inner[at - 1]!)) at--;
  return inner.length - at;
}

/** The word without its namespace, and without what shows in a special token that it opens or closes. */
function plainWord(name: string, isSpecial: boolean): { readonly word: string; readonly isCloser: boolean } {
  const colon = name.indexOf(":");
  const isNamespace = colon >= 2 && colon <= 12 && isLower(name.slice(0, colon)) &&
    isLower(name[colon + 1] ?? "");
  const word = isNamespace ? name.slice(colon + 1) : name;
  if (!isSpecial) return { word, isCloser: false };
  const end = ENDS.find((ending) => word.endsWith(ending) && word.length > ending.length);
  if (end !== undefined) return { word: word.slice(0, -end.length), isCloser: true };
  const begin = BEGINS.find((ending) => word.endsWith(ending) && word.length > ending.length);
  return { word: begin === undefined ? word : word.slice(0, -begin.length), isCloser: false };
}

function isLower(text: string): boolean {
  return text !== "" && [...text].every((sign) => sign >= "a" && sign <= "z");
}

/** What follows a mark's word: `=name`, attributes, or a lone name. */
function readRest(rest: string): Pick<Mark, "named" | "attributes"> {
  let at = skipBlank(rest, 0);
  if (at >= rest.length) return { named: undefined, attributes: {} };
  if ("=:".includes(rest[at]!)) {
    const { value, end } = readAttribute(rest, at + 1);
    const isName = value !== "" && value.length <= 80 && (end >= rest.length || isBlank(rest[end]));
    return { named: isName ? value.trim() : undefined, attributes: attributesFrom(rest, end) };
  }
  const attributes = attributesFrom(rest, at);
  const named = NAME_ATTRIBUTES.map((name) => attributes[name]).find((value) => value !== undefined);
  if (named !== undefined) return { named: named.split(" ", 1)[0]!, attributes };
  const end = wordEnd(rest, at, ".-");
  at = end > at && skipBlank(rest, end) >= rest.length && end - at <= 81 ? at : rest.length;
  return { named: at < rest.length ? rest.slice(at, end) : undefined, attributes };
}

function attributesFrom(rest: string, from: number): Record<string, string> {
  const attributes: Record<string, string> = {};
  let at = from;
  while (at < rest.length) {
    if (!isLetter(rest[at]) && rest[at] !== "_") {
      at++;
      continue;
    }
    const end = wordEnd(rest, at, "-");
    const sign = skipBlank(rest, end);
    if (rest[sign] !== "=") {
      at = Math.max(end, at + 1);
      continue;
    }
    const read = readAttribute(rest, sign + 1);
    if (read.value !== "" || read.isQuoted) attributes[rest.slice(at, end)] = read.value;
    at = Math.max(read.end, sign + 1);
  }
  return attributes;
}

/** A quoted value, or one up to whitespace; a quotation mark that nothing closes doesn't belong to it. */
function readAttribute(
  rest: string,
  from: number,
): { readonly value: string; readonly end: number; readonly isQuoted: boolean } {
  let at = skipBlank(rest, from);
  if (rest[at] === "\\") at++;
  const close = QUOTES[rest[at] ?? ""];
  if (close !== undefined) {
    const end = rest.indexOf(close, at + 1);
    if (end > 0) {
      const isEscaped = rest[end - 1] === "\\";
      return { value: rest.slice(at + 1, isEscaped ? end - 1 : end), end: end + 1, isQuoted: true };
    }
    at++;
  }
  let end = at;
  while (end < rest.length && !isBlank(rest[end])) end++;
  const value = rest.slice(at, end);
  const last = value.at(-1) ?? "";
  return { value: `"'”`.includes(last) && last !== "" ? value.slice(0, -1) : value, end, isQuoted: false };
}
