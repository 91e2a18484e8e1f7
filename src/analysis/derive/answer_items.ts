/**
 * Finds calls in an answer whose keys and values are between marks of their own.
 *
 * @module
 */
import { CLOSING, OPENING, TAG_BRACKETS } from "../../chat/near_miss/brackets.ts";
import { TYPE_WORD } from "../../chat/near_miss/value.ts";
import { commonSuffix } from "./delimiters.ts";
import { type KnownTool, words } from "./known_tool.ts";
import { closesTag, firstTag, lastTagAt, opensTag, openTagAt } from "./mark_token.ts";
import { KEY, signItems, withoutKey } from "./sign_items.ts";
import type { MarkedCall, MarkedItem, Span } from "./sample.ts";

/** How far around a key its marks are looked for. */
const MARK_LENGTH_MAX = 48;

interface Place {
  readonly tool: KnownTool;
  readonly name: Span;
  readonly end: number;
}

/** Calls whose keys and values are between marks. */
export function itemCalls(text: string, tools: readonly KnownTool[]): MarkedCall[] | undefined {
  const places = namePlaces(text, tools);
  const marks = itemMarks(text, places);
  const signs = signCalls(text, places);
  if (marks === undefined) return signs;
  const calls = places.flatMap((place): MarkedCall[] => {
    const items = itemsOf(text, { place, marks });
    return items.length > 0 ? [{ name: place.name, items }] : [];
  });
  // What has no value between its marks has its value elsewhere: `path="a" content="b"/>`.
  const isEmpty = calls.every(({ items }) => items.every(({ value }) => value.start === value.end));
  const isTagged = calls.length > 0 &&
    (signs === undefined || !isEmpty && firstKey(calls) <= firstKey(signs) && count(calls) >= count(signs));
  return isTagged ? calls : signs;
}

function count(calls: readonly MarkedCall[]): number {
  return calls.reduce((sum, { items }) => sum + items.length, 0);
}

function firstKey([call]: readonly MarkedCall[]): number {
  return call!.items[0]!.key.start;
}

/** Calls whose keys and values are between signs. */
function signCalls(text: string, places: readonly Place[]): MarkedCall[] | undefined {
  const calls: MarkedCall[] = [];
  let from = 0;
  for (const [index, { tool, name }] of places.entries()) {
    if (name.start < from) continue;
    const next = places.slice(index + 1).find((place) => lead(text, place) === lead(text, places[index]!));
    const items = signItems(text, { tool, start: name.end, end: next?.name.start ?? text.length });
    // A name in a sentence is followed by the call's own.
    const key = items?.[0]?.key.start ?? Infinity;
    if (items === undefined || places.slice(index + 1).some((place) => place.name.start < key)) continue;
    calls.push({ name, items });
    from = items.at(-1)!.marks!.end;
  }
  return calls.length > 0 ? calls : undefined;
}

/** What precedes a name on its line. */
function lead(text: string, { name: { start } }: Place): string {
  return text.slice(Math.max(text.lastIndexOf("\n", start - 1) + 1, start - MARK_LENGTH_MAX), start).trim();
}

/** Where names are words of their own, each with the text up to the next. */
function namePlaces(text: string, tools: readonly KnownTool[]): Place[] {
  const found = tools.flatMap((tool) => words(text, tool.name).map((start) => ({ tool, start })))
    .filter(({ start }) => !/[^\s\p{L}\p{N}]\/$/u.test(text.slice(0, start).slice(-2)))
    .sort((a, b) => a.start - b.start);
  return found.map(({ tool, start }, index) => ({
    tool,
    name: { start, end: start + tool.name.length },
    end: found[index + 1]?.start ?? text.length,
  }));
}

interface ItemMarks {
  readonly opener: string;
  /** The text between a key and its value, at the beginning of a text; undefined if no value follows. */
  readonly middle: (text: string) => string | undefined;
  /** The text after a value; `KEY` takes the place of the key. */
  readonly closer: string;
}

/** The rest of a key's tag, which brackets of one kind end. */
const KEY_END = new RegExp(
  `^[^${OPENING}${CLOSING}\\n]{0,64}(?<![-=~])(?:${
    [...TAG_BRACKETS.values()].map((one) => `\\${one}+`).join("|")
  })`,
);

/** What can be between a key and its value: the rest of the key's tag, tags of its own, or a sign. */
const MIDDLES: readonly ((rest: string) => string | undefined)[] = [
  (rest) => KEY_END.exec(rest)?.[0],
  ownTags,
];

/** `</arg_key>\n<arg_value>`: the key's own closing tag, and a tag that opens the value. */
function ownTags(rest: string): string | undefined {
  const space = rest.length - rest.trimStart().length;
  const first = firstTag(rest.slice(space));
  if (first === undefined || first.length > 2 * MARK_LENGTH_MAX) return undefined;
  const type = TYPE_ELEMENT.exec(rest.slice(space + first.length))?.[0] ?? "";
  const after = rest.slice(space + first.length + type.length);
  const gap = after.length - after.trimStart().length;
  const second = firstTag(after.slice(gap));
  const opens = second !== undefined && !/^.[^\p{L}]*\//u.test(second) && second.length < MARK_LENGTH_MAX;
  const length = space + first.length + type.length + (opens ? gap + second.length : 0);
  return rest.slice(0, length);
}

/** `<type>string</type>` between a key and its value. */
const TYPE_ELEMENT = new RegExp(
  `^\\s*[<[⟦][^<>[\\]⟦⟧/\\n]{1,48}[>\\]⟧]${TYPE_WORD}[<[⟦]/[^<>[\\]⟦⟧\\n]{1,48}[>\\]⟧]`,
  "i",
);

interface KeyPlace {
  readonly key: string;
  readonly start: number;
  /** Where the call's name ends. */
  readonly from: number;
  /** Where the next call begins. */
  readonly end: number;
}

/** The marks around most declared keys of the answer. */
function itemMarks(text: string, places: readonly Place[]): ItemMarks | undefined {
  const all = places.flatMap(({ tool, name, end }) =>
    tool.keys.flatMap((key) =>
      words(text.slice(name.end, end), key).map((at) => ({ key, start: name.end + at, from: name.end, end }))
    )
  ).filter((place) => isMarked(text, place)).sort((a, b) => a.start - b.start);
  const middle = middleOf(text, all);
  if (middle === undefined) return undefined;
  const keys = all.filter(({ key, start }) => middle(text.slice(start + key.length)) !== undefined);
  const opener = openerOf(
    keys.map(({ start, from }) => text.slice(Math.max(from, start - MARK_LENGTH_MAX), start)),
  );
  if (opener.trim() === "") return undefined;
  const values = keys.filter(({ start }) => text.startsWith(opener, start - opener.length))
    .map(({ key, start, end }, index, kept) => {
      const next = kept[index + 1];
      const valueStart = start + key.length + middle(text.slice(start + key.length))!.length;
      const stop = next === undefined || next.start > end ? end : next.start - opener.length;
      return withoutKey(text.slice(valueStart, stop), key);
    });
  const closer = values.length === 0 ? undefined : closerOf(values);
  return closer === undefined ? undefined : { opener, middle, closer };
}

/** The kind of mark that follows the most keys. */
function middleOf(text: string, places: readonly KeyPlace[]): ItemMarks["middle"] | undefined {
  const counted = MIDDLES.map((read) => {
    const middle = (rest: string) => read(rest.slice(0, 3 * MARK_LENGTH_MAX));
    const count = places.filter(({ key, start }) =>
      middle(text.slice(start + key.length)) !== undefined
    ).length;
    return { middle, count };
  });
  const best = counted.reduce((a, b) => b.count > a.count ? b : a);
  return best.count > 0 ? best.middle : undefined;
}

/** A key between marks, not a word of a sentence, and not in a closing tag. */
function isMarked(text: string, { key, start }: KeyPlace): boolean {
  const before = text[start - 1] ?? " ";
  const after = text.slice(start + key.length, start + key.length + 2);
  return !/\/(?:\w{1,12}:)?$/.test(text.slice(Math.max(0, start - 14), start)) &&
    (/[^\p{L}\p{N}\s.,;!?]/u.test(before) || /[^\p{L}\p{N}\s.,;!?]/u.test(after.trimStart()[0] ?? ""));
}

function openerOf(before: readonly string[]): string {
  const shared = before.length > 1 ? commonSuffix(before) : before[0]!;
  const open = openTagAt(shared);
  // `FIELD[path]`: a word that touches the bracket belongs to it, if all keys have it.
  if (open !== undefined) {
    return (before.length > 1 ? /\w*$/.exec(shared.slice(0, open))![0] : "") + shared.slice(open);
  }
  const start = lastTagAt(shared);
  if (start >= 0) return shared.slice(start);
  const line = shared.lastIndexOf("\n");
  return line >= 0 ? shared.slice(line + 1) : shared.trimStart();
}

/** What ends every value: the longest end that all but the last have, and that the last one holds. */
function closerOf(values: readonly string[]): string | undefined {
  const last = values.at(-1)!;
  const inner = values.slice(0, -1);
  const shared = inner.length > 0 ? commonSuffix(inner).replace(/(?<=\n)[^\S\n]+$/, "") : "";
  for (let start = 0; start < shared.length; start++) {
    const end = shared.slice(start);
    if (!last.includes(end)) continue;
    const mark = ownMark(end);
    return mark?.length === 1 && closesTag(mark) ? sharedTag(values) : mark;
  }
  const lonely = lonelyCloser(last);
  // What ends the last value only ends the call.
  return lonely !== undefined && lonely !== "\n" && inner.length > 0 &&
      !inner.every((value) => value.includes(lonely))
    ? undefined
    : lonely;
}

/** The first closing tag of a value that all values have. */
function sharedTag(values: readonly string[]): string | undefined {
  const tags = values[0]!.match(CLOSING_TAG) ?? [];
  return tags.find((tag) => values.every((value) => value.includes(tag)));
}

const CLOSING_TAG = new RegExp(`[${OPENING}]+/[^${OPENING}${CLOSING}\\n]{1,48}[${CLOSING}]+`, "g");

/** The end of a value without what belongs to the value: letters, and signs before a tag. */
function ownMark(end: string): string | undefined {
  const tag = lastTagAt(end.trimEnd());
  if (tag >= 0) return end.trim().slice(-end.trimEnd().length + tag).trimStart();
  const mark = end.replace(/^[\p{L}\p{N}]+/u, "");
  if (mark.trim() !== "") return mark.trimEnd();
  return mark.includes("\n") ? "\n" : undefined;
}

/** Where there is one value only, a closing tag ends it, or the line. */
function lonelyCloser(value: string): string | undefined {
  for (let at = 0; at < value.length; at++) {
    if (!opensTag(value[at])) continue;
    const tag = firstTag(value.slice(at));
    if (tag !== undefined && /^.[^\p{L}]*\/|\|>$/u.test(tag) && !/\s/.test(tag)) return tag;
  }
  return value.includes("\n") ? "\n" : undefined;
}

function itemsOf(
  text: string,
  { place, marks }: { place: Place; marks: ItemMarks },
): MarkedItem[] {
  const items: MarkedItem[] = [];
  let from = place.name.end;
  for (;;) {
    const open = text.indexOf(marks.opener, from);
    if (open < 0 || open >= place.end) return items;
    const start = open + marks.opener.length;
    const key = place.tool.keys.filter((name) =>
      text.startsWith(name, start) && marks.middle(text.slice(start + name.length)) !== undefined
    ).sort((a, b) =>
      b.length - a.length
    )[0];
    if (key === undefined) {
      from = start;
      continue;
    }
    const keyEnd = start + key.length;
    const valueStart = keyEnd + marks.middle(text.slice(keyEnd))!.length;
    const closer = marks.closer.replaceAll(KEY, key);
    const valueEnd = closer === "\n"
      ? lineEnd(text, { from: valueStart, end: place.end, opener: marks.opener })
      : text.indexOf(closer, valueStart);
    if (valueEnd < 0 || valueEnd > place.end) return items;
    const isOpened = text[valueStart] === "\n" && valueEnd - valueStart > 1;
    const lastLine = isOpened ? /\n[^\S\n]*$/.exec(text.slice(valueStart, valueEnd))?.[0] : undefined;
    const value = {
      start: valueStart + (lastLine !== undefined || isOpened && closer === "\n" ? 1 : 0),
      end: valueEnd - (lastLine?.length ?? 0),
    };
    items.push({ key: { start, end: keyEnd }, value });
    from = valueEnd;
  }
}

/** The end of a value that a line ends: it doesn't reach the next line that begins with its opener's sign. */
function lineEnd(text: string, { from, end, opener }: { from: number; end: number; opener: string }): number {
  const sign = /^[^\s\p{L}\p{N}]*/u.exec(opener.trimStart())![0];
  const own = text.slice(from, end);
  const lines = [...own.matchAll(/(?<!^)\n(?=[^\S\n]*(\S*))/g)];
  const next = lines.find(([, word = ""]) => sign !== "" && word.startsWith(sign)) ?? lines[0];
  return next === undefined ? -1 : from + next.index;
}
