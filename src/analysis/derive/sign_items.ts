/**
 * Finds items that signs mark, not tags: `path := src/a.ts`, `(path "src/a.ts")`, `--path='src/a.ts'`, `||path=src/a.ts||`.
 * A shape is what all items share; the shape that reads the most of the tool's parameters counts.
 *
 * @module
 */
import { TYPE_WORD } from "../../chat/near_miss/value.ts";
import { commonSuffix } from "./delimiters.ts";
import { endsCall, leadOf } from "./end_line.ts";
import { type KnownTool, words } from "./known_tool.ts";
import { exactPattern } from "./pattern_text.ts";
import type { MarkedItem, Span } from "./sample.ts";

/** Between a key and its value, from the most to the least certain. */
const MIDDLES: readonly RegExp[] = [
  // `key: "path" value: `
  /^["'][,;]?[^\S\n]+\w{1,12}[^\S\n]*[:=][^\S\n]*/,
  // `path <<END`
  /^[^\S\n]*[:=]?[^\S\n]*<<-?["']?[A-Z]\w{0,15}["']?\n/,
  // `path<|value|>`
  /^<\|[^|>\n]{1,24}\|>/,
  // `path=‹`, `path <<<`
  /^["']?[^\S\n]*(?:[:=][^\S\n]*(?:[‹«“「『]|<<<(?!<))|<<<(?!<))/u,
  // `path:` before a fence
  /^["']?[^\S\n]*[:=][^\S\n]*\n(?=```\n)/,
  // `path, "`, and a tab
  /^["']?,[^\S\n]*(?=["'])|^\t/,
  // `path := `, `"path": `
  /^["']?[^\S\n]*(?:<[-=]|[:=~→⇒⟶|>]{1,3}|-{1,2}>)(?![=:>])[^\S\n]*/u,
  // `path}{`
  /^[}\])][^\S\n]*[{[(]/,
  // `path}}`, `path}`
  /^\}\}?(?=[^\s{[(])/,
  // `path)a`, `path]a`, `path[VALUE]a`
  /^(?:[)\]]|[[<(]\p{Lu}{2,12}[\])>])(?=[^\s{[(.,;:])/u,
  // `path🔓a`, `path␟a`
  /^[^ -~\s\p{L}\p{N}]{1,3}(?=\S)/u,
  // `path): `
  /^\)[^\S\n]*[:=][^\S\n]*/,
  // `path . "`
  /^[^\S\n]+\.[^\S\n]+(?=["'])/,
  // `path %}`, `path#`
  /^[^\S\n]*[%#$?*]{1,2}[}>\])]{0,2}(?=[^\s,;.])/,
  // `path "`
  /^[^\S\n]+(?=["'])/,
  // `path ← `, `path — `, `path ---` before its line ends
  /^[^\S\n]+[^\s\p{L}\p{N}"'`()[\]{}<>,;.]{1,3}(?:[^\S\n]+|(?=\n))/u,
];

/** What closes a key that a sign opens: `$path$ `, `¡path! `, `(path)` at the end of a line. */
const ENCLOSING = /^(?:(?:[^\s\p{L}\p{N}"'.,;()[\]{}<>]{1,2}|`:)[^\S\n]+|\}{1,2}[^\S\n]+|[)\]}]{1,2}(?=\n))/u;

/** Between a key that a sign touches and its value: spaces, or the end of the line. */
const GAP = /^(?:[^\S\n]+(?=\S)|[^\S\n]*\n)/;

/** What touches a key that follows other text: a word that begins with a sign, and signs. */
const TOUCHING = /(?:(?<=^|\s)[^\s\p{L}\p{N}_"'{(,;[]\S*[^\S\n]+)?[^\s\p{L}\p{N}_]*[^\S\n]*$/u;

/** Signs that separate items and belong to none, after the end of the value before them. */
const SEPARATOR = /^[\p{L}\p{N}]*[^\S\n]*(?:["'`]*[)\]}]*[,;]+\s*|["'`]+(?:\s+|[)\]}]*(?=\.)))/u;

/** A longer text before a key on its line is content. */
const OPENER_MAXIMUM = 24;

const CLOSING: ReadonlyMap<string, string> = new Map([["(", ")"], ["[", "]"], ["{", "}"]]);

/** Takes the place of a key in a closer. */
export const KEY = "\uE003";

/** A text in which closing tags that name a key again have `KEY` in its place: `</path>`, `</arg:path>`. */
export function withoutKey(text: string, key: string): string {
  return text.replace(new RegExp(`(/(?:\\w{1,12}:)?)${exactPattern(key)}`, "g"), `$1${KEY}`);
}

interface KeyPlace extends Span {
  /** The line up to the key. */
  readonly before: string;
  readonly middle: string;
}

/** What the items of a call share. */
interface Shape {
  readonly opener: string;
  readonly middle: string;
  readonly isLine: boolean;
}

/** The items between two places; undefined where they are written in different ways, or none is found. */
export function signItems(
  text: string,
  { tool, start, end }: Span & { readonly tool: KnownTool },
): MarkedItem[] | undefined {
  const places = keyPlaces(text, { tool, start, end });
  const [first] = places;
  if (first === undefined) return undefined;
  const shape = shapeOf(text, { first, places });
  const own = shape && places.filter((place) => fits(place, shape));
  if (own === undefined || shape === undefined) return undefined;
  const closed = callEnd(text, { start, end, name: tool.name, places: own });
  const reading = { places: own, shape, end: closed ?? end, isClosed: closed !== undefined };
  return withoutSharedWords(text, readItems(text, reading));
}

/**
 * Where the mark after the call begins: the last line that begins like the line of its name. A value can have several lines
 * before it. Undefined where no such line follows.
 *
 *     @@invoke write_file
 *     @arg content = let x = 1;
 *     let y = 2;
 *     @@end
 */
function callEnd(
  text: string,
  { start, end, name, places }: Span & { readonly name: string; readonly places: readonly KeyPlace[] },
): number | undefined {
  const last = places.at(-1);
  if (last === undefined) return undefined;
  const lead = leadOf(text, start - name.length);
  const isBlock = /^[|>][-+]?\n/.test(text.slice(last.end + last.middle.length));
  const indent = /^[^\S\n]+$/.exec(last.before)?.[0].length ?? (isBlock ? 1 : 0);
  let found: number | undefined;
  for (let at = text.indexOf("\n", last.end); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) {
    const next = text.slice(at + 1, end);
    // What is indented as far as the keys of a block is in it.
    if (indent > 0 && next.search(/\S/) >= indent) continue;
    // A block of YAML ends with the first line that is indented less.
    if (indent > 0 && isBlock && /^[^\S\n]*\S/.test(next)) return at + 1;
    if (endsCall(next, { lead, name })) found = at + 1;
  }
  return found;
}

const TYPE = new RegExp(`^\\(?${TYPE_WORD}`, "i");

/** Words with which all values begin are between key and value: `path set to src/a.ts`. */
function withoutSharedWords(
  text: string,
  items: readonly MarkedItem[] | undefined,
): MarkedItem[] | undefined {
  let own = items;
  for (;;) {
    const values = (own ?? []).map(({ value }) => text.slice(value.start, value.end));
    const word = /^(\S+)[^\S\n]+/.exec(values[0] ?? "")?.[0];
    const isShared = word !== undefined && !TYPE.test(word) && values.length > 1 && values.every((value) =>
      value.startsWith(word)
    ) &&
      own!.every(({ marks }) => marks!.quote === "");
    if (!isShared) return own === undefined ? undefined : [...own];
    own = own!.map((item) => ({
      ...item,
      value: { ...item.value, start: item.value.start + word.length },
      marks: { ...item.marks!, middle: item.marks!.middle + word },
    }));
  }
}

function keyPlaces(text: string, { tool, start, end }: Span & { readonly tool: KnownTool }): KeyPlace[] {
  const region = text.slice(start, end);
  const found = tool.keys.flatMap((key) =>
    words(region, key).flatMap((at): KeyPlace[] => {
      const keyStart = start + at;
      const before = text.slice(Math.max(start, text.lastIndexOf("\n", keyStart - 1) + 1), keyStart);
      const touching = TOUCHING.exec(before)![0].replace(SEPARATOR, "");
      const rest = text.slice(keyStart + key.length, Math.min(end, keyStart + key.length + 32));
      const middle = MIDDLES.map((one) => one.exec(rest)?.[0]).find((one) => one !== undefined) ??
        (touching === "" ? undefined : (ENCLOSING.exec(rest) ?? GAP.exec(rest))?.[0]);
      const isCell = middle?.trim() !== "|" || /^\|?$/.test(before.trim());
      return middle === undefined || !isCell
        ? []
        : [{ start: keyStart, end: keyStart + key.length, before, middle }];
    })
  ).sort((a, b) => a.start - b.start || b.end - a.end);
  return found.filter((place, index) => index === 0 || place.start >= found[index - 1]!.end);
}

/** What the first item and the next one share; undefined where the first key is a word of a sentence. */
function shapeOf(
  text: string,
  { first, places }: { first: KeyPlace; places: readonly KeyPlace[] },
): Shape | undefined {
  const name = ({ start, end }: Span) => text.slice(start, end);
  const next = places.find((place) =>
    place.middle.trim() === first.middle.trim() && name(place) !== name(first)
  );
  const isShort = first.before.length <= OPENER_MAXIMUM;
  const whole = first.before.trimStart();
  const isWhole = isShort && (next === undefined || next.before.trimStart() === whole) &&
    text[first.start - first.before.length - 1] === "\n";
  if (isWhole) return { opener: whole, middle: first.middle, isLine: true };
  const touching = TOUCHING.exec(first.before)![0];
  const shared = next === undefined
    ? touching.replace(/^[[{({]+\s*$/, "")
    : commonSuffix([first.before, next.before]);
  const opener = shared.replace(SEPARATOR, "").trimStart().replace(/^[)\]}>]+[^\S\n]*(?=[([{<])/, "");
  const isSeparated = opener !== "" || /(?:^|[([{,;\s])$/.test(first.before);
  return isSeparated ? { opener, middle: first.middle, isLine: false } : undefined;
}

function fits({ before, middle }: KeyPlace, { opener, middle: own, isLine }: Shape): boolean {
  if (middle.trim() !== own.trim()) return false;
  if (isLine) return before.trim() === opener.trim();
  return opener === "" ? /(?:^|[([{,;\s])$/.test(before) : before.endsWith(opener);
}

interface Reading {
  readonly places: readonly KeyPlace[];
  readonly shape: Shape;
  readonly end: number;
  /** Whether the end is before a mark. */
  readonly isClosed: boolean;
}

function readItems(text: string, reading: Reading): MarkedItem[] | undefined {
  const [first] = reading.places;
  const isLiteral = first !== undefined && openingQuote(text, first.end + first.middle.length) !== "";
  const { opener, middle } = reading.shape;
  // A bracket that ends a value can be in the value, too.
  const bracket = CLOSING.get(opener.trim().at(-1) ?? "");
  const isOpen = bracket !== undefined && !middle.trim().startsWith(bracket);
  if (!isLiteral && (isOpen || CLOSING.has(middle.trim().at(-1) ?? ""))) return undefined;
  if (!isLiteral) return bareItems(text, reading);
  return literalItems(text, reading) ?? (isBlock(text, reading) ? bareItems(text, reading) : undefined);
}

/** Whether the items are a block of YAML, in which some values are quoted and others are not. */
function isBlock(text: string, { places: [first], shape: { opener, middle, isLine } }: Reading): boolean {
  return isLine && opener === "" && middle.trim() === ":" &&
    /:(?:[^\S\n]*\S+)?$/.test(text.slice(0, first!.start - first!.before.length).trimEnd());
}

/** Items whose values are quoted strings, and perhaps numbers, words and lists of JSON. */
function literalItems(text: string, { places, shape, end }: Reading): MarkedItem[] | undefined {
  const items: MarkedItem[] = [];
  for (const place of places) {
    // A key inside of the value before it is part of that value.
    if (place.start < (items.at(-1)?.marks?.end ?? 0)) continue;
    const from = place.end + place.middle.length;
    const quote = openingQuote(text, from);
    const to = literalEnd(text, from);
    if (to === undefined || to > end) return undefined;
    const valueStart = from + quote.length;
    const valueEnd = to - quote.length;
    const closer = literalCloser(text, { at: to, shape });
    items.push(
      itemOf(text, { place, shape, quote, start: valueStart, end: valueEnd, closerEnd: to + closer }),
    );
  }
  return withoutEnd(items);
}

/** A sign after the last item that is after no other ends the call. */
function withoutEnd(items: readonly MarkedItem[]): MarkedItem[] {
  const last = items.at(-1)!;
  const rest = (item: MarkedItem) => item.marks!.closer.slice(item.marks!.quote.length).trim();
  const isOwn = items.length > 1 && items.slice(0, -1).every((item) => rest(item) !== rest(last));
  if (!isOwn || !/^[,;]+$/.test(rest(last))) return [...items];
  const marks = { ...last.marks!, end: last.value.end + last.marks!.quote.length, closer: last.marks!.quote };
  return [...items.slice(0, -1), { ...last, marks }];
}

/** The length of what follows a literal and belongs to its item: its bracket, a separator, the end of its line. */
function literalCloser(text: string, { at, shape }: { at: number; shape: Shape }): number {
  const rest = text.slice(at, at + 16);
  const bracket = CLOSING.get(/[([{](?=[^([{]*$)/.exec(shape.opener)?.[0] ?? "");
  // `<param name="path" value="src/a.ts"/>`
  const tag = /<[^>]*$/.test(shape.opener) ? /^\s*\/?>/.exec(rest)?.[0].length : undefined;
  const closed = tag ??
    (bracket !== undefined && rest.trimStart().startsWith(bracket) ? rest.indexOf(bracket) + 1 : 0);
  return closed + (shape.isLine ? /^[,;]{0,2}\n?/ : /^[,;]{0,2}/).exec(rest.slice(closed))![0].length;
}

/** Items whose values end with their line, with a mark that every value has, or where the next begins. */
function bareItems(text: string, { places, shape, end, isClosed }: Reading): MarkedItem[] | undefined {
  const given = new Set<string>();
  const own = places.filter(({ start, end }) => {
    const key = text.slice(start, end);
    return !given.has(key) && given.add(key);
  });
  const regions = own.map((place, index): Region => {
    const next = own[index + 1];
    const to = next === undefined ? end : next.start - (shape.isLine ? next.before : shape.opener).length;
    return { place, key: text.slice(place.start, place.end), from: place.end + place.middle.length, to };
  });
  // `=path=` on a line of its own is before its value.
  if (regions.every(({ place, from }) => text[from] === "\n" && place.middle.trim() !== "")) {
    const below = regions.map((one) => ({
      ...one,
      place: { ...one.place, middle: `${one.place.middle}\n` },
      from: one.from + 1,
    }));
    regions.splice(0, regions.length, ...below);
  }
  const closer = bareCloser(text, { regions, shape, isClosed });
  const items = regions.map(({ place, key, from, to }, index) => {
    const region = text.slice(from, to);
    const isLast = index === regions.length - 1;
    const mark = closer?.replaceAll(KEY, key) ?? (isLast ? signsOf(shape.opener) : "");
    const byLine = isLast && isClosed && mark === "\n" ? /\n\s*$/.exec(region)?.index : undefined;
    const at = byLine ?? (isLast ? markAt(region, mark) : region.lastIndexOf(mark));
    const value = region.slice(0, Math.max(0, at));
    if (value.trim() === "" || (closer === undefined && mark === "" && isLast)) return undefined;
    const space = closer === undefined || closer.startsWith("\n") ? 0 : value.length - value.trimEnd().length;
    const closerEnd = from + at + (closer === undefined ? 0 : mark.length);
    return itemOf(text, { place, shape, quote: "", start: from, end: from + at - space, closerEnd });
  });
  return items.every((item) => item !== undefined) ? items : undefined;
}

/** Where a mark begins that ends a value; of a run of one sign, its end is the mark. */
function markAt(text: string, mark: string): number {
  let at = text.indexOf(mark);
  while (at >= 0 && /^([^\n])\1+$/.test(mark) && text.startsWith(mark, at + 1)) at++;
  return at;
}

/** The signs with which an opener begins: what ends the last value begins with them, too. */
function signsOf(opener: string): string {
  const own = opener.trim();
  return /^[^\s\p{L}\p{N}_]{2,}/u.exec(own)?.[0] ?? (own === "|" ? "|" : /^\[\w+\]$/.test(own) ? "[/" : "");
}

interface Region {
  readonly place: KeyPlace;
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** What ends every value, where that isn't the next item alone; the key in it is masked. */
function bareCloser(
  text: string,
  { regions, shape, isClosed }: {
    readonly regions: readonly Region[];
    readonly shape: Shape;
    readonly isClosed: boolean;
  },
): string | undefined {
  const texts = regions.map(({ key, from, to }) => withoutKey(text.slice(from, to), key));
  const inner = texts.slice(0, -1);
  const last = texts.at(-1)!;
  const shared = inner.length > 0 ? commonSuffix(inner) : last;
  const marks = [...shared.matchAll(CLOSER)].map(({ index, 0: mark }) =>
    inner.length > 0 ? shared.slice(index) : mark
  );
  const found = marks.map((mark) => mark.trimEnd()).find((mark) => mark !== "" && last.includes(mark));
  if (found !== undefined) return found;
  // Each row of a table ends with its sign, too.
  if (isClosed && shape.opener.trim() === "|" && texts.every((one) => one.endsWith("|\n"))) return "|\n";
  const isByLine = inner.every((one) => /\n[^\S\n]*$/.test(one)) && last.includes("\n");
  return isByLine && (shape.isLine || signsOf(shape.opener) === "") ? "\n" : undefined;
}

/** Where a closer can begin: a tag of signs, a doubled sign, or a line of its own with a word in capitals. */
const CLOSER =
  /#\/[^\n#]{1,64}#|\{%[^\n%]{1,32}%\}|[^\s\p{L}\p{N}]{1,2}\/(?:\uE003|\p{L}{1,24})[^\s\p{L}\p{N}]{1,2}|[^ -~\s\p{L}\p{N}]{1,3}(?=\n|$)|[›»”」』]|\n<<<(?=\n)|>>>|\{\{\/[^\n{}]{1,32}\}\}|([;|¦‖~$])\1+|\n[A-Z]{2,16}(?: [A-Z]{2,16}){0,2}(?=\n)/gu;

interface ItemParts extends Span {
  readonly place: KeyPlace;
  readonly shape: Shape;
  readonly quote: string;
  readonly closerEnd: number;
}

function itemOf(text: string, { place, shape, quote, start, end, closerEnd }: ItemParts): MarkedItem {
  const key = text.slice(place.start, place.end);
  const own = { start: place.start, end: place.end };
  return {
    key: own,
    value: { start, end },
    marks: {
      start: place.start - shape.opener.length,
      end: closerEnd,
      opener: shape.opener,
      middle: place.middle,
      quote,
      closer: withoutKey(text.slice(end, closerEnd), key),
    },
  };
}

const QUOTES = ['"""', "'''", "```", '"', "'", "`"];

/** The quote that opens at a place; empty if there is none. */
function openingQuote(text: string, at: number): string {
  return QUOTES.find((mark) => text.startsWith(mark, at)) ?? "";
}

/** The end of the literal that begins at a place; undefined if there is none, or if its end is not certain. */
function literalEnd(text: string, from: number): number | undefined {
  const quote = openingQuote(text, from);
  if (quote !== "") return stringEnd(text, { quote, from: from + quote.length });
  const word = /^(?:-?\d[\d.eE+-]*|true|false|null|True|False|None)(?![\w-])/.exec(
    text.slice(from, from + 64),
  );
  if (word !== null) return from + word[0].length;
  return "[{".includes(text[from] ?? " ") ? structureEnd(text, from) : undefined;
}

/** The end of a string. A quote that comes twice can be one quote in the string. */
function stringEnd(text: string, { quote, from }: { quote: string; from: number }): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === "\\" && quote !== "`") at++;
    else if (text.startsWith(quote, at)) {
      const end = at + quote.length;
      return quote.length === 1 && at > from && text[end] === quote ? undefined : end;
    }
  }
  return undefined;
}

function structureEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const end = openingQuote(text, at) === "" ? undefined : literalEnd(text, at);
    if (end !== undefined) at = end - 1;
    else if ("[{".includes(text[at]!)) depth++;
    else if ("]}".includes(text[at]!) && --depth === 0) return at + 1;
  }
  return undefined;
}
