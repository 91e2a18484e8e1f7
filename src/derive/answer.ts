/**
 * Finds the places of calls in an answer that a model gave: nobody says which calls these are, but the names of the
 * offered tools and of their parameters are known.
 *
 * @module
 */
import type { OfferedTool } from "../tool/offered.ts";
import { commonSuffix } from "./frame.ts";
import { isRecord } from "../object/record.ts";
import { envelopeKeys, objectsIn, parseObject } from "./json_object.ts";
import { firstTag, lastTagAt, marksAfter, marksBefore, opensTag, openTagAt } from "./mark_token.ts";
import type { MarkedCall, MarkedItem, MarkedText, Span } from "./sample.ts";

/** A tool by its name and the names of its parameters. */
interface KnownTool {
  readonly name: string;
  readonly keys: readonly string[];
}

/** How far around a key its marks are looked for. */
const MARK_LENGTH_MAX = 48;
/** Marks before a name: more of the text is prose. */
const HEAD_LENGTH_MAX = 200;

/**
 * The answer, cut to the part with the calls and their marks; undefined where no call is seen.
 *
 * @param text the answer
 * @param tools the tools that were offered
 */
export function markAnswer(text: string, tools: readonly OfferedTool[]): MarkedText | undefined {
  const known = toolsOf(tools);
  const calls = objectCalls(text, known) ?? itemCalls(text, known);
  return calls === undefined || calls.length === 0 ? undefined : cutOut(text, calls);
}

function toolsOf(tools: readonly OfferedTool[]): KnownTool[] {
  return tools.map(({ name, schema }) => ({ name, keys: keysOf(schema) }));
}

function keysOf(schema: unknown): string[] {
  return isRecord(schema) && isRecord(schema["properties"]) ? Object.keys(schema["properties"]) : [];
}

/** Calls whose arguments are JSON. */
function objectCalls(text: string, tools: readonly KnownTool[]): MarkedCall[] | undefined {
  const calls: MarkedCall[] = [];
  let from = 0;
  for (const object of objectsIn(text)) {
    if (object.start < from) continue;
    const call = envelopeCall(text, { object, tools }) ?? argumentsCall(text, { object, tools, from });
    if (call === undefined) continue;
    calls.push(call);
    from = object.end;
  }
  return calls.length > 0 ? calls : undefined;
}

type FoundObject = ReturnType<typeof objectsIn>[number];

function envelopeCall(
  text: string,
  { object, tools }: { object: FoundObject; tools: readonly KnownTool[] },
): MarkedCall | undefined {
  for (const { name: tool, keys } of tools) {
    const envelope = envelopeKeys(object.value, { tool, isArguments: (value) => areArguments(value, keys) });
    const start = text.indexOf(tool, object.start);
    if (envelope === undefined || start < 0 || start > object.end) continue;
    const name = { start, end: start + tool.length };
    return { name, object: { start: object.start, end: object.end, envelope }, items: [] };
  }
  return undefined;
}

/** The object is the arguments, and the name stands shortly before it. */
function argumentsCall(
  text: string,
  { object, tools, from }: { object: FoundObject; tools: readonly KnownTool[]; from: number },
): MarkedCall | undefined {
  const head = text.slice(Math.max(from, object.start - HEAD_LENGTH_MAX), object.start);
  const named = tools.map((tool) => ({ tool, at: lastWord(head, tool.name) })).filter(({ at }) => at >= 0)
    .sort((a, b) => b.at - a.at || b.tool.name.length - a.tool.name.length)[0];
  if (named === undefined || !areArguments(object.value, named.tool.keys)) return undefined;
  const start = object.start - head.length + named.at;
  const name = { start, end: start + named.tool.name.length };
  return { name, object: { start: object.start, end: object.end }, items: [] };
}

/** Whether a value can be the arguments of a tool that declares these parameters. */
function areArguments(value: unknown, keys: readonly string[]): boolean {
  const object = typeof value === "string" ? parseObject(value) : value;
  if (!isRecord(object)) return false;
  const given = Object.keys(object);
  if (given.length === 0) return keys.length === 0;
  return keys.length === 0 ? false : given.some((key) => keys.includes(key));
}

interface Place {
  readonly tool: KnownTool;
  readonly name: Span;
  readonly end: number;
}

/** Calls whose keys and values stand between marks. */
function itemCalls(text: string, tools: readonly KnownTool[]): MarkedCall[] | undefined {
  const places = namePlaces(text, tools);
  const marks = itemMarks(text, places);
  if (marks === undefined) return undefined;
  const calls = places.flatMap((place): MarkedCall[] => {
    const items = itemsOf(text, { place, marks });
    return items.length > 0 ? [{ name: place.name, items }] : [];
  });
  return calls.length > 0 ? calls : undefined;
}

/** Where names stand as words of their own, each with the text up to the next. */
function namePlaces(text: string, tools: readonly KnownTool[]): Place[] {
  const found = tools.flatMap((tool) => words(text, tool.name).map((start) => ({ tool, start })))
    .filter(({ tool, start }) => text[start - 1] !== "/" && !text.startsWith(`/${tool.name}`, start - 1))
    .sort((a, b) => a.start - b.start);
  return found.map(({ tool, start }, index) => ({
    tool,
    name: { start, end: start + tool.name.length },
    end: found[index + 1]?.start ?? text.length,
  }));
}

interface ItemMarks {
  /** Before a key. */
  readonly opener: string;
  /** What stands between a key and its value, at the beginning of a text; undefined where no value follows. */
  readonly middle: (text: string) => string | undefined;
  /** After a value; `KEY` stands for the key. */
  readonly closer: string;
}

const KEY = "\uE003";

/** What may stand between a key and its value: the rest of the key's tag, tags of its own, or a sign. */
const MIDDLES: readonly ((rest: string) => string | undefined)[] = [
  (rest) => /^[^<>[\]⟦⟧«»‹›【】\n]{0,64}(?:>+|\]+|⟧+|»+|›+|】+)/u.exec(rest)?.[0],
  ownTags,
  (rest) => /^[^\S\n]?(?::+|=+|=>|->|~)[^\S\n]?["']?/.exec(rest)?.[0],
];

/** `</arg_key>\n<arg_value>`: the key's own closing tag, and a tag that opens the value. */
function ownTags(rest: string): string | undefined {
  const space = rest.length - rest.trimStart().length;
  const first = firstTag(rest.slice(space));
  if (first === undefined || first.length > 2 * MARK_LENGTH_MAX) return undefined;
  const after = rest.slice(space + first.length);
  const gap = after.length - after.trimStart().length;
  const second = firstTag(after.slice(gap));
  const opens = second !== undefined && !/^.[^\p{L}]*\//u.test(second) && second.length < MARK_LENGTH_MAX;
  const length = space + first.length + (opens ? gap + second.length : 0);
  return rest.slice(0, length);
}

interface KeyPlace {
  readonly key: string;
  readonly start: number;
  /** Where the call's name ends. */
  readonly from: number;
  /** Where the next call begins. */
  readonly end: number;
}

/** The marks that most declared keys of the answer stand between. */
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
      return text.slice(valueStart, stop).replaceAll(`/${key}`, `/${KEY}`);
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
  return before !== "/" &&
    (/[^\p{L}\p{N}\s.,;!?]/u.test(before) || /[^\p{L}\p{N}\s.,;!?]/u.test(after.trimStart()[0] ?? ""));
}

function openerOf(before: readonly string[]): string {
  const shared = before.length > 1 ? commonSuffix(before) : before[0]!;
  const open = openTagAt(shared);
  if (open !== undefined) return shared.slice(open);
  const start = lastTagAt(shared);
  if (start >= 0) return shared.slice(start);
  const line = shared.lastIndexOf("\n");
  return line >= 0 ? shared.slice(line + 1) : shared.trimStart();
}

/** What ends every value: the longest end that all but the last have, and that the last one holds. */
function closerOf(values: readonly string[]): string | undefined {
  const last = values.at(-1)!;
  const inner = values.slice(0, -1);
  const shared = inner.length > 0 ? commonSuffix(inner) : "";
  for (let start = 0; start < shared.length; start++) {
    const end = shared.slice(start);
    if (last.includes(end)) return ownMark(end);
  }
  return lonelyCloser(last);
}

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
    const valueEnd = text.indexOf(closer, valueStart);
    if (valueEnd < 0 || valueEnd > place.end) return items;
    const hasLineBreaks = text[valueStart] === "\n" && text[valueEnd - 1] === "\n" &&
      valueEnd - valueStart > 1;
    const edge = hasLineBreaks ? 1 : 0;
    items.push({ key: { start, end: keyEnd }, value: { start: valueStart + edge, end: valueEnd - edge } });
    from = valueEnd;
  }
}

/** The calls with the marks around them; prose before and after is left out. */
function cutOut(text: string, calls: readonly MarkedCall[]): MarkedText {
  const first = calls[0]!;
  const last = calls.at(-1)!;
  const start = headStart(text, Math.min(first.name.start, first.object?.start ?? Infinity));
  const end = tailEnd(
    text,
    Math.max(last.name.end, last.object?.end ?? 0, last.items.at(-1)?.value.end ?? 0),
  );
  const moved = ({ start: a, end: b }: Span) => ({ start: a - start, end: b - start });
  return {
    text: text.slice(start, end),
    ids: [],
    calls: calls.map(({ name, object, items }) => ({
      name: moved(name),
      ...(object === undefined ? {} : { object: { ...object, ...moved(object) } }),
      items: items.map(({ key, value }) => ({ key: moved(key), value: moved(value) })),
    })),
  };
}

/** Where the marks before a call begin. */
function headStart(text: string, at: number): number {
  const from = Math.max(0, at - HEAD_LENGTH_MAX);
  return from + marksBefore(text.slice(from, at));
}

/** Where the marks after a call end. */
function tailEnd(text: string, at: number): number {
  return at + marksAfter(text.slice(at, at + HEAD_LENGTH_MAX));
}

/** Where a word stands that no letter touches. */
function words(text: string, word: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isPart = isWordCharacter(text[at - 1]) || isWordCharacter(text[at + word.length]);
    if (!isPart) found.push(at);
  }
  return found;
}

function lastWord(text: string, word: string): number {
  return words(text, word).at(-1) ?? -1;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}
