/**
 * What is around the calls of several texts: an opener and a closer for each call, and perhaps a wrapper around
 * all of them.
 *
 *     <calls>\n<call name="f">{…}</call>\n<call name="f">{…}</call>\n</calls>
 *     ^^^^^^^ wrapper             ^^^^^^^ closer                    ^^^^^^^^ wrapper
 *               ^^^^^^^^^^^^^^^^^ opener
 *
 * @module
 */
import { closesTag, firstTag, firstTagAt, lastTag, opensTag, openTagAt } from "./mark_token.ts";

/** The names, identifiers and numbers of delimiters differ from call to call; these characters take their places. */
export const MASK = { name: "\uE000", id: "\uE001", number: "\uE002", type: "\uE004" } as const;

/** What is before the first call, between two calls, and after the last call of one text. */
export interface Surroundings {
  readonly head: string;
  readonly betweens: readonly string[];
  readonly tail: string;
}

/** What is around one call, masked. */
export interface Delimiters {
  readonly opener: string;
  readonly closer: string;
  readonly wrapperOpener: string;
  readonly wrapperCloser: string;
  /** What can be between two calls, apart from whitespace. */
  readonly separator: string;
  /** Whether the calls are in a JSON list; the hole includes brackets and commas. */
  readonly isList: boolean;
}

/** The delimiters that fit all texts; `mayBeList`: brackets around the calls make a list of them. */
export function delimitersOf(all: readonly Surroundings[], mayBeList = true): Delimiters {
  const heads = all.map(({ head }) => head.trim());
  const tails = all.map(({ tail }) => tail.trim());
  const betweens = all.flatMap((one) => one.betweens).map((between) => between.trim());
  const isList = (betweens.length > 0 && betweens.every((between) => between === ",")) ||
    isInBrackets(heads, tails);
  if (mayBeList && isList) {
    return listDelimiters(heads, tails);
  }
  if (betweens.length === 0) return splitPair(loneDelimiters(heads, tails));
  const closer = atBoundaryEnd(commonPrefix([...betweens, ...tails])).trim();
  const rests = betweens.map((between) => between.slice(closer.length).trim());
  const opener = atBoundaryStart(commonSuffix([...heads, ...rests])).trim();
  const separators = rests.map((rest) => rest.slice(0, rest.length - opener.length).trim());
  const separator = separators.every((one) => one === separators[0]) ? separators[0] ?? "" : "";
  const before = heads.map((head) => head.slice(0, head.length - opener.length).trim());
  const after = tails.map((tail) => tail.slice(closer.length).trim());
  // A wrapper can be around several calls only; it is optional in any case.
  const wrapperOpener = commonSuffix(before.filter((text) => text !== ""));
  const wrapperCloser = commonPrefix(after.filter((text) => text !== ""));
  if (opener === "" && closer === "") {
    // The calls of one wrapper follow each other without marks of their own.
    return { ...EMPTY, opener: wrapperOpener, closer: wrapperCloser };
  }
  return splitPair({ opener, closer, wrapperOpener, wrapperCloser, separator, isList: false });
}

/** One call: what ends the turn after its closer may be missing. */
function loneDelimiters(heads: readonly string[], tails: readonly string[]): Delimiters {
  const tail = commonPrefix(tails);
  // `[AGENT] end` is one mark.
  const closer = /^\[[^\]\n]*\] \p{L}+$/u.test(tail) ? tail : firstTag(tail) ?? tail;
  return { ...EMPTY, opener: commonSuffix(heads), closer, wrapperCloser: tail.slice(closer.length).trim() };
}

const EMPTY = { wrapperOpener: "", wrapperCloser: "", separator: "", isList: false };

function isInBrackets(heads: readonly string[], tails: readonly string[]): boolean {
  return heads.every((head) => head.endsWith("[")) && tails.every((tail) => tail.startsWith("]"));
}

/** The delimiters of calls that a body reads as one list, with or without brackets around it. */
export function listDelimitersOf(all: readonly Surroundings[]): Delimiters {
  return listDelimiters(all.map(({ head }) => head.trim()), all.map(({ tail }) => tail.trim()));
}

/** The brackets belong to the body, which reads lists. */
function listDelimiters(heads: readonly string[], tails: readonly string[]): Delimiters {
  const lone = loneDelimiters(
    heads.map((head) => head.replace(/\[$/, "").trim()),
    tails.map((tail) => tail.replace(/^\]/, "").trim()),
  );
  return { ...lone, isList: true };
}

/**
 * A balanced pair outside of a pair with the name is a wrapper that models leave out:
 *
 *     <tool_call><function=f>…</function></tool_call>
 */
function splitPair(delimiters: Delimiters): Delimiters {
  if (delimiters.wrapperOpener !== "" || !delimiters.opener.includes(MASK.name)) return delimiters;
  const first = firstTag(delimiters.opener);
  const isApart = delimiters.wrapperCloser !== "";
  const last = isApart ? firstTag(delimiters.wrapperCloser) : lastTag(delimiters.closer);
  if (first === undefined || last === undefined || first.includes(MASK.name)) return delimiters;
  const opener = delimiters.opener.slice(first.length).trimStart();
  const closer = isApart
    ? delimiters.closer
    : delimiters.closer.slice(0, delimiters.closer.length - last.length).trimEnd();
  if (opener === "" || closer === "" || !opensTag(opener[0]) || wordOf(first) !== wordOf(last)) {
    return delimiters;
  }
  return { ...delimiters, opener, closer, wrapperOpener: first, wrapperCloser: last };
}

/** `</tool_call>` and `<tool_call>`, `<|call_end|>` and `<|call_begin|>` say the same word. */
function wordOf(tag: string): string {
  return tag.replace(/[^\p{L}\p{N}]+/gu, " ").replace(/\b(begin|end|start|stop|prefix|suffix|of)\b/g, "")
    .trim()
    .replace(/\s+/g, " ");
}

/** The longest beginning that all texts share. */
export function commonPrefix(texts: readonly string[]): string {
  const [first = "", ...rest] = texts;
  let length = first.length;
  for (const text of rest) {
    let at = 0;
    while (at < length && at < text.length && text[at] === first[at]) at++;
    length = at;
  }
  return first.slice(0, length);
}

/** The longest end that all texts share. */
export function commonSuffix(texts: readonly string[]): string {
  const reversed = (text: string) => [...text].reverse().join("");
  return reversed(commonPrefix(texts.map(reversed)));
}

/** A beginning that does not end inside a tag or a word. */
export function atBoundaryEnd(prefix: string): string {
  const cut = openTagAt(prefix);
  return cut === undefined ? prefix : prefix.slice(0, cut);
}

/** An end that does not begin inside a tag. */
export function atBoundaryStart(suffix: string): string {
  const close = [...suffix].findIndex(closesTag);
  const open = firstTagAt(suffix);
  if (close < 0 || (open >= 0 && open < close)) return suffix;
  const rest = suffix.slice(close + 1);
  return rest.replace(/^[>\]⟧»›】]+/u, "");
}
