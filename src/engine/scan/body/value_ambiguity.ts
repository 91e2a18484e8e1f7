/**
 * Finds signs that a value holds more than itself, although its closer was read: a mark between it and what is missing was
 * damaged. The damaged mark is content in one reading and structure in another, which has as little damage, so no call is made:
 *
 *     a.ts</parameter>\n<parameter name=content">x        the value's closer, then half of the next item's opener
 *     a.ts</parameter>\n</invoke>\n<invoke name"read">    the same, with the next call's
 *     <arg_value>a.ts                                     the value's own opener twice
 *
 * @module
 */
import { isWord } from "../../json/scalar.ts";
import { spaceEnd } from "../../pattern/node.ts";
import { OpenTags, tagEnd } from "./tags.ts";

/** The longest mark before the name in it. */
const MARK_MAXIMUM = 64;

/** The longest marks between a value's closer and the name of the next call. */
const CALL_MAXIMUM = 160;

/** The shortest part of a mark that shows which one it is. */
const PART_MINIMUM = 3;

/** The shortest mark that is recognized with a damaged character. */
const MARK_MINIMUM = 8;

/** The most closers in a value that are examined. */
const CLOSERS_MAXIMUM = 256;

export interface Surroundings {
  /** The text of the value's closer. */
  readonly closer: string;
  /** The tags between the keys and the values of the call so far. */
  readonly openers: readonly string[];
  /** The opener of the value's item before and after its key. */
  readonly before: string;
  readonly after: string;
  /** The parameters that the call doesn't have so far, and the offered tools. */
  readonly parameters: readonly string[];
  readonly tools: readonly string[];
}

/** Whether a value can hold a damaged mark. */
export function holdsDamagedMark(text: string, surroundings: Surroundings): boolean {
  const closer = surroundings.closer.trim();
  if (closer === "") return false;
  if (surroundings.openers.some((tag) => beginsWith(text, tag)) && !text.includes(closer)) return true;
  const tags = new OpenTags();
  let at = text.indexOf(closer);
  for (let count = 0; at >= 0 && count < CLOSERS_MAXIMUM; count++) {
    const end = at + closer.length;
    if (!tags.has(text.slice(0, at), closer) && leadsToMark(text, end, surroundings)) return true;
    at = text.indexOf(closer, end);
  }
  return false;
}

/** Whether half of an item's opener follows a position, or, after closing tags, half of a call's and an item. */
function leadsToMark(text: string, from: number, surroundings: Surroundings): boolean {
  const { parameters, tools, before, after } = surroundings;
  const start = spaceEnd(text, from);
  for (let at = start; at >= 0;) {
    if (parameters.some((name) => isHalf(text, at, { before, name, after }))) return true;
    if (tools.some((name) => isCall(text, at, { name, before }))) return true;
    const end = tagEnd(text, at);
    at = end < 0 ? end : spaceEnd(text, end);
  }
  return false;
}

/** Whether a value begins with a tag, perhaps with one damaged character in it or before it. */
function beginsWith(text: string, tag: string): boolean {
  const at = spaceEnd(text, 0);
  return text.startsWith(tag, at) || text.startsWith(tag, spaceEnd(text, at + 1)) || isNearly(text, at, tag);
}

interface Mark {
  readonly before: string;
  readonly name: string;
  readonly after: string;
}

/** Whether a position has an item's opener with one damaged character, or without a part of what is before the name. */
function isHalf(text: string, at: number, { before, name, after }: Mark): boolean {
  if (before.length < PART_MINIMUM || after === "") return false;
  const found = text.indexOf(name, at);
  // Another name is another item.
  const isNamed = Math.abs(found - at - before.length) <= 1;
  if (isNamed && isNearly(text, at, before + name + after)) return true;
  if (found < 0 || found - at > before.length + MARK_MAXIMUM) return false;
  const prefix = text.slice(at, found);
  const rest = text.slice(found + name.length);
  if (hasNoSign(prefix, { before, after }) && rest.startsWith(after.trimEnd())) return true;
  if (!rest.startsWith(after[0]!) || prefix.includes("\n") || prefix === before) return false;
  return isNearlyAll(prefix, before);
}

/** Whether a text has the beginning and the end of a mark's part, and at most two of its characters are missing. */
function isNearlyAll(text: string, part: string): boolean {
  const start = commonStart(text, part);
  const end = Math.min(commonEnd(text, part), part.length - start);
  return start + end >= Math.max(PART_MINIMUM, part.length - 2);
}

/**
 * Whether a mark's part before the name lost the sign that opens it, with or without more: `parametr=`, `=`, nothing. Where
 * little comes after the name, the name isn't the end of another word.
 */
function hasNoSign(prefix: string, { before, after }: Pick<Mark, "before" | "after">): boolean {
  if (prefix.includes(before[0]!) || prefix.includes("\n") || prefix.length > before.length) return false;
  const isJoined = isWord(prefix.charCodeAt(prefix.length - 1));
  return !isJoined || after.length >= PART_MINIMUM || isNearlyAll(prefix, before.slice(1));
}

/** Whether a position has a mark in which one character is missing, comes twice or is another one. */
function isNearly(text: string, at: number, mark: string): boolean {
  const there = text.slice(at, at + mark.length + 1);
  const start = commonStart(there, mark);
  if (start === mark.length || mark.length < MARK_MINIMUM) return false;
  return [-1, 0, 1].some((more) => there.slice(start + 1 + more).startsWith(mark.slice(start + 1)));
}

/** Whether a position has a call's beginning: marks, a tool's name, and the beginning of an item. */
function isCall(text: string, at: number, { name, before }: { name: string; before: string }): boolean {
  if (before.length < PART_MINIMUM) return false;
  const found = text.indexOf(name, at);
  const item = found < 0 ? found : text.indexOf(before, found + name.length);
  if (found - at > CALL_MAXIMUM || item < 0 || item - found > name.length + MARK_MAXIMUM) return false;
  const isNamed = !isWord(text.charCodeAt(found - 1)) && !isWord(text.charCodeAt(found + name.length)) &&
    text[found - 1] !== "/";
  // Prose is in a line that begins with a word.
  return isNamed && text.slice(at, item).split("\n").every((line) => {
    const begin = spaceEnd(line, 0);
    return !isWord(line.charCodeAt(begin)) || line.startsWith(name, begin);
  });
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function commonEnd(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length++;
  return length;
}
