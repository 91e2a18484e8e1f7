/**
 * Marks: the tags, brackets and signs that a dialect puts around names, keys and values.
 *
 * @module
 */
import { TAG_BRACKETS } from "../../chat/near_miss/brackets.ts";

export function opensTag(character: string | undefined): boolean {
  return character !== undefined && TAG_BRACKETS.has(character);
}

export function closesTag(character: string | undefined): boolean {
  return [...TAG_BRACKETS.values()].includes(character ?? "");
}

/** The tag that a text begins with, several brackets of a kind together; undefined where it begins with none. */
export function firstTag(text: string): string | undefined {
  const close = TAG_BRACKETS.get(text[0] ?? "");
  let end = close === undefined ? -1 : text.indexOf(close);
  if (end < 0) return undefined;
  while (text[end + 1] === close) end++;
  return text.slice(0, end + 1);
}

/** The tag that a text ends with; undefined where it ends with none. */
export function lastTag(text: string): string | undefined {
  const open = [...TAG_BRACKETS].find(([, close]) => text.endsWith(close))?.[0];
  let start = open === undefined ? -1 : text.lastIndexOf(open);
  if (start < 0) return undefined;
  while (text[start - 1] === open) start--;
  return text.slice(start);
}

/** Where a tag opens that does not close; undefined where none does. */
export function openTagAt(text: string): number | undefined {
  for (const [open, close] of TAG_BRACKETS) {
    let at = text.lastIndexOf(open);
    if (at < 0 || text.indexOf(close, at) >= 0) continue;
    while (text[at - 1] === open) at--;
    return at;
  }
  return undefined;
}

/** Where the first tag of a text opens; -1 where none does. */
export function firstTagAt(text: string): number {
  return [...text].findIndex((character) => TAG_BRACKETS.has(character));
}

/** Where the last tag of a text opens; -1 where none does. */
export function lastTagAt(text: string): number {
  let at = text.length - 1;
  while (at >= 0 && !opensTag(text[at])) at--;
  while (at > 0 && text[at - 1] === text[at]) at--;
  return at;
}

/**
 * Where the marks at the end of a text begin: going back word by word, every word that has a sign in it.
 *
 *     I'll do that.\n@@call write_file      ends with the mark `@@call `
 *     I'll call write_file                  ends with no mark
 *     \nAction: write_file                  a label on a line of its own, right before the name, is a mark
 */
export function marksBefore(text: string): number {
  let start = text.length;
  const words = [...text.matchAll(/\S+\s*/g)].reverse();
  for (const { 0: word, index } of words) {
    if (index >= start) continue;
    const tag = tagInWord(word.trimEnd());
    const isLabel = start === text.length && /(?:^|\n)$/.test(text.slice(0, index)) &&
      word.trimEnd().endsWith(":");
    if (tag === undefined && !isLabel && !isSign(word.trimEnd())) {
      const between = start === text.length ? undefined : BETWEEN_TOKENS.exec(text.slice(0, start));
      if (!between) return start;
      start = between.index;
      continue;
    }
    start = index + (tag ?? 0);
    if (tag !== undefined && tag > 0) return start;
  }
  return start;
}

/** Words between two special tokens: `<|end|>\n\nfunction call<|role|>`. */
const BETWEEN_TOKENS = /(?<=[|｜]>\s*)(?:\p{L}+[^\S\n]+){1,2}$/u;

/** Where the marks at the beginning of a text end: word by word, until one begins with a letter or a digit. */
export function marksAfter(text: string): number {
  let end = 0;
  for (const { 0: word, index } of text.matchAll(/\s*\S+/g)) {
    if (index !== end || /^\s*[\p{L}\p{N}]/u.test(word)) return end;
    const own = /^[^\S\n]*(?!::)[.,;:!?]+$/.test(word);
    if (own) return end;
    end = index + word.length;
  }
  return end;
}

/** Where the mark in a word begins; undefined if it has none. Words that touch a tag belong to it. */
export function tagInWord(word: string): number | undefined {
  const at = firstTagAt(word);
  if (at < 0) return undefined;
  const before = word.slice(0, at);
  return /[.,;:!?]$/.test(before) ? at : 0;
}

/** A word with a sign that sentences do not have. */
function isSign(word: string): boolean {
  return /[^\p{L}\p{N}\s.,;:!?'"()_-]/u.test(word) || /^!{1,3}\p{L}/u.test(word) ||
    /^(?:-{2,}\p{L}|\(\p{L}+-\p{L})/u.test(word);
}
