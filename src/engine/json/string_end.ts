/**
 * Decides whether a quote ends a string of nearly valid JSON or is an unescaped part of it. A closing quote is followed
 * by valid JSON: a comma and the next key, or closing brackets and whatever can follow the value.
 *
 *     {"content": "<div class="x">hi</div>", "path": "a"}
 *                             ^ ^ no: what follows isn't valid
 *                                         ^ yes: a comma and a key
 *
 * @module
 */
import { spaceEnd } from "../pattern/node.ts";
import type { ValueFollower } from "./handler.ts";
import { isWord } from "./scalar.ts";

export interface StringPlace {
  /** The open objects and lists, innermost last. */
  readonly kinds: readonly string[];
  /** Whether keys can be without quotes. */
  readonly hasBareKeys: boolean;
  readonly isLast: boolean;
  /** Decides what can follow the whole value. */
  readonly follower: ValueFollower;
}

/** The number of characters of whitespace or key to read; a quote before a longer one ends its string. */
const LOOKED_AT_MAXIMUM = 256;

/** Whether a string ends before a position after its quote; undefined if more text decides. */
export function endsString(text: string, at: number, place: StringPlace): boolean | undefined {
  const { kinds, isLast } = place;
  for (let depth = kinds.length; depth > 0; depth--) {
    const next = skipSpaces(text, at);
    if (next - at > LOOKED_AT_MAXIMUM) return true;
    if (next >= text.length) return isLast ? true : undefined;
    const character = text[next]!;
    const isObject = kinds[depth - 1] === "object";
    if (character === ",") return isObject ? leadsToKey(text, next + 1, place) : true;
    if (character === "/" || character === "#") return isComment(text, next, isLast);
    if (character === '"' && isObject && depth === kinds.length) {
      const key = keyAt(text, next);
      if (key !== "") return key === undefined && !isLast ? undefined : key !== undefined;
    }
    if (character !== "}" && character !== "]") {
      return place.follower.mayFollow(text, at, false) ?? (isLast ? true : undefined);
    }
    if ((character === "}") !== isObject) return true;
    at = next + 1;
  }
  return place.follower.mayFollow(text, at, true) ?? (isLast ? true : undefined);
}

/**
 * Whether a key, or the end of the object, follows a comma. Text that is too long to decide counts as a key, and so does
 * a key at the end of the text: it lacks its value, but the string before it is whole.
 */
function leadsToKey(text: string, at: number, place: StringPlace): boolean | undefined {
  const start = skipSpaces(text, at);
  if (start >= text.length) return start - at > LOOKED_AT_MAXIMUM || place.isLast ? true : undefined;
  const quote = text[start]!;
  if (quote === "}") return true;
  if (quote === "/" || quote === "#") return isComment(text, start, place.isLast);
  const isQuoted = quote === '"' || quote === "'";
  if (!isQuoted && !(place.hasBareKeys && isWord(text.charCodeAt(start)))) return false;
  let end = start + 1;
  while (end < text.length && end - start < LOOKED_AT_MAXIMUM) {
    if (isQuoted ? text[end] === quote : !isWord(text.charCodeAt(end))) break;
    end += text[end] === "\\" ? 2 : 1;
  }
  if (end - start >= LOOKED_AT_MAXIMUM) return true;
  const colon = skipSpaces(text, isQuoted ? end + 1 : end);
  if (end >= text.length || colon >= text.length) return place.isLast ? true : undefined;
  return text[colon] === ":";
}

/** The quoted key before a colon, whose comma can be missing; empty if there is none, undefined if more text decides. */
export function keyAt(text: string, at: number): string | undefined {
  let end = at + 1;
  while (end < text.length && end - at < TAIL_MAXIMUM && isWord(text.charCodeAt(end))) end++;
  if (end < text.length && (end === at + 1 || text[end] !== '"')) return "";
  const colon = skipSpaces(text, end + 1);
  if (end >= text.length || colon >= text.length) return undefined;
  return text[colon] === ":" ? text.slice(at + 1, end) : "";
}

/** The number of characters of a string to keep, to find what precedes a quote in it. */
export const TAIL_MAXIMUM = 128;

/** The character before a key: an object's brace, or a comma between members. */
export type KeySeparator = "{" | ",";

/**
 * Finds the separator before the key that a quote inside a string seems to belong to. If there is one, the string's
 * closing quote can be missing: only balanced braces around the key show that the string itself contains JSON.
 *
 *     {"path": "a.ts, "content": "x"}        {"path": "a.ts", "content: "x"}
 *                     ^       ^                             ^
 *
 * @param before the end of the string so far
 * @param at the position after the quote
 * @returns false if the quote belongs to no key, undefined if more text decides
 */
export function keySeparator(
  text: string,
  at: number,
  { before, kinds, isLast }: { before: string; kinds: StringPlace["kinds"]; isLast: boolean },
): KeySeparator | false | undefined {
  const separator = separatorAtEnd(before);
  if (separator && kinds.at(-1) === "array") return separator;
  const word = wordBefore(before);
  const beforeWord = word > 0 ? separatorAtEnd(before.slice(0, -word)) : undefined;
  const next = skipSpaces(text, at);
  const isUnknown = next >= text.length && !isLast;
  if (beforeWord) return isUnknown ? undefined : text[next] === ":" && beforeWord;
  if (separator) return only(separator, isKey(text, at, isLast));
  // `", "content: "x"`: the previous quote ended the value.
  if (text[next] === ",") return only(",", isKey(text, skipSpaces(text, next + 1), isLast));
  return isUnknown ? undefined : false;
}

function only(separator: KeySeparator, isKey: boolean | undefined): KeySeparator | false | undefined {
  return isKey && separator;
}

/**
 * Whether a position has a key and its colon; one of the quotes around the key can be missing. A quoted word before a
 * closing brace is a key without its value.
 */
function isKey(text: string, from: number, isLast: boolean): boolean | undefined {
  let end = text[from] === '"' ? from + 1 : from;
  const start = end;
  while (end < text.length && end - start < TAIL_MAXIMUM && isWord(text.charCodeAt(end))) end++;
  if (end < text.length && end === start) return false;
  for (let quotes = 0; quotes < 2 && (text[end] === '"' || text[end] === "'"); quotes++) end++;
  const isQuoted = text[from] === '"' && text[end - 1] === '"' && end > start;
  const colon = skipSpaces(text, end);
  if (colon >= text.length && !isLast) return undefined;
  return text[colon] === ":" || (isQuoted && text[colon] === "}");
}

function separatorAtEnd(text: string): KeySeparator | undefined {
  const last = text.trimEnd().at(-1);
  return last === "{" || last === "," ? last : undefined;
}

function wordBefore(text: string): number {
  let length = 0;
  while (length < text.length && isWord(text.charCodeAt(text.length - 1 - length))) length++;
  return length;
}

function isComment(text: string, at: number, isLast: boolean): boolean | undefined {
  if (text[at] === "#") return true;
  if (at + 1 >= text.length) return isLast ? false : undefined;
  return text[at + 1] === "/" || text[at + 1] === "*";
}

function skipSpaces(text: string, at: number): number {
  return spaceEnd(text, at, Math.min(text.length, at + LOOKED_AT_MAXIMUM + 1));
}
