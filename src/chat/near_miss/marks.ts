/**
 * What marks a tool's name or a parameter's name as part of a call: brackets, quotes, signs, labels. Every look at the
 * text is bounded.
 *
 * @module
 */
import { TAG_BRACKETS } from "./brackets.ts";
import { isWord } from "./tool_names.ts";

/** A mark is looked for this many characters before a name. */
const MARK_MAXIMUM = 64;

/** Opening bracket → its closing one. */
const BRACKETS: ReadonlyMap<string, string> = new Map([...TAG_BRACKETS, ["{", "}"], ["｜", "｜"]]);
const CLOSING: ReadonlySet<string> = new Set(BRACKETS.values());

/** Signs with which words of a dialect begin; Markdown's own signs and the prompts of shells are not among them. */
const SIGNS = "@$%&!~^\\+=|§¶→⇒:";

/**
 * What is before a tool's name:
 *
 *     json    {"name": "read_file"        a string in JSON
 *     tag     <call read_file             in a tag, or directly after one
 *     sign    @@invoke read_file          after a word that begins with a sign
 *     label   Action: read_file           after a label that begins the line
 *     line    read_file                   nothing: the name begins the line
 *     word    call read_file              one word
 */
export type Lead = "json" | "tag" | "sign" | "label" | "line" | "word";

/** What is before the name that starts at a place; undefined: more words, as in a sentence. */
export function leadOf(text: string, start: number): Lead | undefined {
  if (isQuoted(text, start) && ":{,=".includes(text[skipBack(text, quoteStart(text, start))] ?? " ")) {
    return "json";
  }
  const from = lineStart(text, start);
  const before = text.slice(from, start);
  const trimmed = before.trimEnd();
  const word = trimmed.slice(lastSpace(trimmed) + 1);
  if (isInTag(before) || isAfterTag(text, start) || (trimmed === before && endsWithTag(word))) return "tag";
  if (isSignWord(word, trimmed.length === before.length) || SIGN_LINE.test(before)) return "sign";
  if (start - from >= MARK_MAXIMUM) return undefined;
  if (word.endsWith(":") && trimmed.trimStart().length < MARK_MAXIMUM / 2) return "label";
  if (trimmed === "") return "line";
  return word === trimmed.trimStart() && isWord(word.charCodeAt(0)) ? "word" : undefined;
}

/** The start of a line that begins with a sign: `$ tool `, `🔧 `, `//@tool `, `(call `, `tool!(`, `CALL /tools/`. */
const SIGN_LINE =
  /^(?:(?:[$%&@!~^§→⇒]{1,3}|\p{Extended_Pictographic}\uFE0F?|\/\/@\w{1,16})[ \t](?:\w{1,16}[ \t])?|\((?:\w{1,16}[ \t])?|\w{1,16}!\(|[A-Z]{2,16}[ \t]\/(?:\w{1,16}\/)?)$/u;

/** How a parameter's name is written: as a key of JSON, of keyword arguments, or in a tag. */
export type KeyForm = "json" | "keyword" | "tag";

/** How the parameter's name between two places is marked; undefined: it is a word of a sentence. */
export function keyForm(text: string, start: number, end: number): KeyForm | undefined {
  const isString = isQuoted(text, start) && isQuote(text[end] === "\\" ? text[end + 1] : text[end]);
  const before = text[skipBack(text, isString ? quoteStart(text, start) : start)] ?? "";
  const after = skip(text, isString ? (text[end] === "\\" ? end + 2 : end + 1) : end);
  const sign = text[after] ?? "";
  if ("{,".includes(before) && before !== "" && sign === ":") return "json";
  if ("({,".includes(before) && before !== "" && sign === "=") return "keyword";
  const line = text.slice(lineStart(text, start), start);
  if (isString && before === "=" && closesTag(text, end)) return "tag";
  if (CLOSING.has(text[start - 1] ?? "") && BRACKETS.has(text[end] ?? "")) return "tag";
  return isInTag(line) && closesTag(text, end) ? "tag" : undefined;
}

/** Whether the end of a text is in a tag that has not closed: `<tool name="`. A list of code has no tag: `x = [`. */
function isInTag(before: string): boolean {
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before[at]!;
    if (CLOSING.has(character) && character !== "｜") return false;
    if (!BRACKETS.has(character)) continue;
    if (character !== "[" && character !== "{") return true;
    const outer = before.slice(0, at).trimEnd();
    return outer === "" || outer.endsWith(":") || CLOSING.has(outer.at(-1)!) || BRACKETS.has(outer.at(-1)!);
  }
  return false;
}

/** Whether a tag closes directly before a place: `<tool_name>read_file`. `- [x] read_file` is a list. */
function isAfterTag(text: string, start: number): boolean {
  const before = text[start - 1] ?? "";
  if (CLOSING.has(before)) return true;
  const at = skipBack(text, start);
  const isAlone = text[at - 1] === " " || text[at - 1] === "\n" || at === 0;
  return at >= 0 && !isAlone && CLOSING.has(text[at]!) && text[at] !== "]" && text[at] !== "}";
}

/** Whether a word that touches a name is a tag with a prefix of the name: `<call>functions.`. */
function endsWithTag(word: string): boolean {
  let at = word.length - 1;
  while (at >= 0 && (isWord(word.charCodeAt(at)) || ".:-/".includes(word[at]!))) at--;
  return at > 0 && at < word.length - 1 && CLOSING.has(word[at]!);
}

/** Whether a tag that a parameter's name is in closes on the same line, and a value follows: not `<input name="q"></a>`. */
function closesTag(text: string, end: number): boolean {
  for (let at = end; at < Math.min(text.length, end + MARK_MAXIMUM); at++) {
    if (text[at] === "\n") return false;
    if (!CLOSING.has(text[at]!)) continue;
    while (CLOSING.has(text[at] ?? "")) at++;
    return text.startsWith("<![CDATA[", at) || (text[at] !== "<" && text[at] !== "⟦");
  }
  return false;
}

/** `@@invoke`, or a sign that touches the name: `@read_file`. */
function isSignWord(word: string, touches: boolean): boolean {
  if (word === "" || !SIGNS.includes(word[0]!)) return false;
  return touches || word.length > 1;
}

function isQuoted(text: string, start: number): boolean {
  return isQuote(text[start - 1]);
}

/** The place of the quote before a name, or of its backslash. */
function quoteStart(text: string, start: number): number {
  return text[start - 2] === "\\" ? start - 2 : start - 1;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

/** The last character before a place that is not white space. */
function skipBack(text: string, from: number): number {
  let at = from - 1;
  while (at >= 0 && from - at < MARK_MAXIMUM && isSpace(text[at]!)) at--;
  return at;
}

/** The next character from a place on that is not a space. */
function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < MARK_MAXIMUM && text[at] === " ") at++;
  return at;
}

function lineStart(text: string, start: number): number {
  let at = start;
  while (at > 0 && start - at < MARK_MAXIMUM && text[at - 1] !== "\n") at--;
  return at;
}

function lastSpace(text: string): number {
  return Math.max(text.lastIndexOf(" "), text.lastIndexOf("\t"));
}

function isSpace(character: string): boolean {
  return character === " " || character === "\n" || character === "\t" || character === "\r";
}
