/**
 * Whether a quote ends a string of nearly JSON, or a model forgot to escape it. In JSON that is right, what follows a
 * string leads on: a comma and the next key, or brackets that close and what may follow them.
 *
 *     {"content": "<div class="x">hi</div>", "path": "a"}
 *                             ^ ^ no: what follows leads nowhere
 *                                         ^ yes: a comma and a key
 *
 * @module
 */
import { isSpace } from "../pattern/node.ts";
import { isWord } from "./scalar.ts";

/** Knows what may follow a JSON value. */
export interface ValueFollower {
  /** Whether what stands at a place may follow the whole value; undefined: more text decides. */
  mayFollow(text: string, at: number): boolean | undefined;
}

/** What a string stands in. */
export interface StringPlace {
  /** The objects and lists that are open, the innermost last. */
  readonly kinds: readonly ("object" | "array")[];
  /** Whether keys may stand without quotes. */
  readonly hasBareKeys: boolean;
  /** Whether nothing follows the text. */
  readonly isLast: boolean;
  /** Knows what may follow the whole value. */
  readonly follower: ValueFollower;
}

/** A quote that is followed by more white space, or a longer key, than this ends its string. */
const LOOKED_AT_MAXIMUM = 256;

/**
 * Whether a string ends before a place of the text.
 *
 * @param at the place after the quote
 * @returns undefined: more text decides
 */
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
    if (character !== "}" && character !== "]") {
      return place.follower.mayFollow(text, at) ?? (isLast ? true : undefined);
    }
    if ((character === "}") !== isObject) return true;
    at = next + 1;
  }
  return place.follower.mayFollow(text, at) ?? (isLast ? true : undefined);
}

/** Whether a key, or the end of the object, follows a comma; what is too long to tell is taken for a key. */
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
  if (end >= text.length || colon >= text.length) return place.isLast ? false : undefined;
  return text[colon] === ":";
}

/** How much of a string is remembered to tell what stands before a quote in it. */
export const TAIL_MAXIMUM = 128;

/** What stands before a key: an object's brace, or a comma between its members. */
export type KeySeparator = "{" | ",";

/**
 * What stands before the key that a quote inside a string seems to belong to; then the quote that ends the string may
 * be the one that is missing. Only balanced braces around the key tell that the string holds JSON.
 *
 *     {"path": "a.ts, "content": "x"}        {"path": "a.ts", "content: "x"}
 *                     ^       ^                             ^
 *
 * @param before the end of the string so far
 * @param at the place after the quote
 * @returns false: the quote belongs to no key; undefined: more text decides
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
  // `", "content: "x"`: the quote before ended the value.
  if (text[next] === ",") return only(",", isKey(text, skipSpaces(text, next + 1), isLast));
  return isUnknown ? undefined : false;
}

function only(separator: KeySeparator, isKey: boolean | undefined): KeySeparator | false | undefined {
  return isKey && separator;
}

/** Whether a key and its colon stand at a place; one of the quotes around the key may be missing. */
function isKey(text: string, from: number, isLast: boolean): boolean | undefined {
  let end = text[from] === '"' ? from + 1 : from;
  const start = end;
  while (end < text.length && end - start < TAIL_MAXIMUM && isWord(text.charCodeAt(end))) end++;
  if (end < text.length && end === start) return false;
  for (let quotes = 0; quotes < 2 && (text[end] === '"' || text[end] === "'"); quotes++) end++;
  const colon = skipSpaces(text, end);
  return colon < text.length || isLast ? text[colon] === ":" : undefined;
}

function separatorAtEnd(text: string): KeySeparator | undefined {
  const last = text.trimEnd().at(-1);
  return last === "{" || last === "," ? last : undefined;
}

/** How long the word is that a text ends with. */
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
  const limit = Math.min(text.length, at + LOOKED_AT_MAXIMUM + 1);
  let end = at;
  while (end < limit && isSpace(text.charCodeAt(end))) end++;
  return end;
}
