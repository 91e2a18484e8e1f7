/**
 * Reads the call at a place, in every way that its arguments can be written, and takes the reading with the least damage. If
 * another reading with other arguments is nearly as good, or a better one breaks a law, there is no call.
 *
 * @module
 */
import { isRecord } from "../object/record.ts";
import { isJsonEqual } from "../json/equal.ts";
import { unescapeText } from "../scan/body/unescape.ts";
import type { OfferedTool } from "../tool/offered.ts";
import { declares, requiredParameters } from "../tool/schema.ts";
import {
  indexWithin,
  isBlank,
  isBlankBetween,
  isDigit,
  isWordCharacter,
  lineStart,
  skipBlank,
  skipBlankBack,
  skipSpaces,
  wordAt,
  wordStart,
} from "./characters.ts";
import { isCallWord } from "./call_word.ts";
import { readTagged } from "./items.ts";
import type { Item } from "./item_values.ts";
import type { Law } from "./law.ts";
import { loneValue } from "./lone_value.ts";
import { endsInBrace, readLooseValue } from "./loose_value.ts";
import { answerStart, endsThoughts, findMarks, type Mark } from "./mark.ts";
import { ParameterMarks } from "./parameter_mark.ts";
import { type Gap, type Lead, type Place, skipGap } from "./place.ts";
import {
  type Arguments,
  callsIn,
  fitArguments,
  hasParameters,
  isArgumentKey,
  isNameKey,
  isReport,
  isThoughtKey,
  type ToolsByName,
} from "./tool_fit.ts";

export interface ReadCall {
  readonly tool: OfferedTool;
  readonly arguments: Arguments;
  readonly lead: Lead;
  readonly notation: "attributes" | "object" | "keywords" | "tagged" | "text" | "envelope" | "empty";
  /** Where the name begins. */
  readonly at: number;
  /** The places of the values, where marks are around them. */
  readonly items?: readonly Item[];
  /** The whole call with the marks and closers around it. */
  readonly start: number;
  readonly end: number;
  /** Where the arguments end. */
  readonly argumentsEnd: number;
  /** Where the call begins for the question whether it is quoted. */
  readonly shownFrom: number;
  readonly damage: number;
  /** The number of closers after the arguments. */
  readonly closers: number;
  /** Whether a mark or a bracket leads to it. */
  readonly isMarked: boolean;
  readonly isFenced: boolean;
  /** The words of the marks around it. */
  readonly words: ReadonlySet<string>;
}

/** A text while it is read: its marks and tools, and how far the calls before reach. */
export interface Reading {
  readonly text: string;
  readonly tools: ToolsByName;
  readonly marks: readonly Mark[];
  readonly markAt: (at: number) => Mark | undefined;
  /** Whether another call can begin at the mark of this index. */
  readonly isCall: (index: number) => boolean;
  /** The end of the last call. */
  readonly from: number;
  /** How many characters JSON may still be read in. */
  readonly budget: { left: number };
}

const MARGIN = 0.5;
const DAMAGE_MAXIMUM = 2.6;
const ENVELOPE_DAMAGE_MAXIMUM = 4;

/** Elements that show text: what they hold is an example. */
const SHOWING: ReadonlySet<string> = new Set([
  ...[
    "pre",
    "code",
    "samp",
    "kbd",
    "tt",
    "xmp",
    "blockquote",
    "li",
    "td",
    "th",
    "p",
    "details",
    "summary",
    "em",
  ],
  ...["strong", "b", "i", "a", "textarea", "script", "example", "examples"],
]);
/** Elements of HTML that are named like tools. A bundler leaves them out of a program that doesn't use this reader. */
const MARKUP: readonly string[] = /* @__PURE__ */
  ("a abbr article aside audio b body br button canvas caption center cite code col dd del details dialog div dl dt em " +
    "embed figure font footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input ins kbd label li link main " +
    "map mark menu meta nav object ol option output p param picture pre progress q s samp script search section select " +
    "slot small source span strong style sub summary sup svg table tbody td template textarea tfoot th thead time title " +
    "tr track u ul var video wbr").split(" ");
const TURN_ENDS: ReadonlySet<string> = new Set([
  ...[
    "im_end",
    "im",
    "eot_id",
    "eom_id",
    "end_of_turn",
    "endoftext",
    "call",
    "return",
    "end",
    "s",
    "tool_response",
  ],
  ...["observation", "eos", "eom", "eot"],
]);

export function showsText(mark: Mark): boolean {
  return SHOWING.has(mark.word.toLowerCase());
}

/** The calls at a place: one, or several in a list; else the law that refuses them. */
export function readPlace(reading: Reading, place: Place): readonly ReadCall[] | Law {
  if (place.lead !== "json") return readNamed(reading, place, place.isDamaged ? 1 : 0);
  const head = objectHead(reading, place);
  if (head !== undefined) return readAfterObject(reading, head);
  const whole = readEnvelope(reading, place);
  if (typeof whole !== "string" || whole === "shown") return whole;
  const half = halfOpener(reading, place);
  return half === undefined ? whole : readNamed(reading, half, 1);
}

/** A call whose object has items in marks after it, and the arguments in the object. */
interface Head {
  readonly place: Place;
  readonly given: Arguments;
}

/** `<tool_call>{"name": "python", "arguments": {"timeout": 3}}<code>…</code>`: an object in a call's mark, with a parameter's mark after it. */
function objectHead(reading: Reading, place: Place): Head | undefined {
  const { text, marks, budget } = reading;
  const [begin = 0] = outerBrackets(reading, place);
  const mark = marks[lastMarkBefore(marks, begin)];
  const opens = mark !== undefined && !mark.isCloser && isCallWord(mark.word) && mark.start >= reading.from &&
    isBlankBetween(text, mark.end, begin);
  const read = opens ? readLooseValue(text, begin, { budget }) : undefined;
  if (read === undefined || read.damage > 0 || !isRecord(read.value)) return undefined;
  const next = lastMarkBefore(marks, read.end) + 1;
  const isFollowed = isBlankBetween(text, read.end, marks[next]?.start ?? text.length) &&
    new ParameterMarks(text, marks, place.tool).at(next) !== undefined;
  const [given, ...others] = Object.entries(read.value).filter(([key]) => !isNameKey(key));
  if (!isFollowed || others.length > 0 || !isArgumentKey(given?.[0] ?? "") || !isRecord(given![1])) {
    return undefined;
  }
  return {
    place: { ...place, lead: "mark", mark: mark!, start: mark!.start, end: read.end },
    given: given![1],
  };
}

/** The call of an object and the items after it. What the object leaves empty is in them; else each has to state the same. */
function readAfterObject(reading: Reading, { place, given }: Head): readonly ReadCall[] | Law {
  const { tool } = place;
  const required = requiredParameters(tool.schema).filter((name) => !Object.hasOwn(given, name));
  const schema = isRecord(tool.schema) ? { ...tool.schema, required } : tool.schema;
  const read = readNamed(reading, {
    ...place,
    tool: { ...tool, ...(schema === undefined ? {} : { schema }) },
  }, 0);
  if (typeof read === "string") return read;
  const [call] = read;
  const own = Object.entries(given).filter(([key, value]) =>
    value !== "" || !Object.hasOwn(call!.arguments, key)
  );
  const isOther = ([key, value]: [string, unknown]) =>
    Object.hasOwn(call!.arguments, key) && !isJsonEqual(call!.arguments[key], value);
  if (own.some(isOther)) return "two_readings";
  const fitted = fitArguments(tool, { ...Object.fromEntries(own), ...call!.arguments });
  return fitted === undefined ? "value" : [{ ...call!, tool, arguments: fitted }];
}

/**
 * `{"name": "Read", <parameter=…`, `{"function=Read", "arguments": …`, `invoke name="Read">`: a name in half an object or at a
 * line's beginning in half a tag, whose arguments are written in another way.
 */
function halfOpener({ text, from }: Reading, place: Place): Place | undefined {
  const isEqual = text[place.at - 1] === "=";
  let word = isEqual ? wordStart(text, place.at - 1, place.start) : nameKeyBefore(text, place.start, from);
  if (word === undefined) return undefined;
  const line = lineStart(text, place.at);
  let end = place.end;
  if (`"'”`.includes(text[end] ?? " ")) end++;
  end = skipBlank(text, end);
  const isTag = text[end] === ">";
  if (",>".includes(text[end] ?? " ")) end++;
  // The tag's own word, before the key of the name.
  const outer = wordStart(text, skipBlankBack(text, word, line), line);
  if (isTag && isCallWord(text.slice(outer, word).trim())) word = outer;
  let start = word;
  while (start > from && word - start < 3 && `<{["'`.includes(text[start - 1]!)) start--;
  const before = skipBlankBack(text, start, from);
  const isOwnLine = isBlankBetween(text, lineStart(text, start), start);
  const isAtStart = start < word ? text[before - 1] === ">" || isOwnLine : isTag && isOwnLine;
  return isAtStart ? { ...place, start, end } : undefined;
}

/** Where the key of a name begins whose colon or equals sign ends at an offset. */
function nameKeyBefore(text: string, end: number, from: number): number | undefined {
  let at = skipBlankBack(text, end, from);
  if (!":=".includes(text[at - 1] ?? " ")) return undefined;
  at = skipBlankBack(text, at - 1, from);
  if (`"'`.includes(text[at - 1] ?? " ")) at--;
  const word = wordStart(text, at, from);
  const key = text.slice(word, at);
  return key === "" || key === "invoke" || isNameKey(key) ? word : undefined;
}

/** The marks before an offset that can be the call's wrappers, the nearest first. */
function wrappersBefore(
  reading: Reading,
  from: number,
): { readonly start: number; readonly words: string[] } {
  const { text, marks } = reading;
  const words: string[] = [];
  let start = from;
  for (let index = lastMarkBefore(marks, from); index >= 0; index--) {
    const mark = marks[index]!;
    const canWrap = !mark.isCloser && !mark.isBroken && !showsText(mark) &&
      (mark.isSpecial || isCallWord(mark.word));
    if (!canWrap || mark.start < reading.from || !isBlankBetween(text, mark.end, start)) break;
    words.push(mark.word);
    start = mark.start;
  }
  return { start, words };
}

/** The index of the last mark that ends at or before an offset. */
function lastMarkBefore(marks: readonly Mark[], at: number): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks[middle]!.end <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

interface Candidate extends Pick<ReadCall, "notation" | "damage" | "closers" | "items"> {
  readonly arguments: Arguments;
  readonly end: number;
}

function readNamed(reading: Reading, place: Place, halfDamage: number): readonly ReadCall[] | Law {
  const { text, marks } = reading;
  const { tool, lead, mark } = place;
  const fence = lead === "line" || lead === "label"
    ? markBeforeFence(reading, place.start, CODE_WORDS)
    : undefined;
  const wrappers = wrappersBefore(reading, fence?.end ?? place.start);
  const isMarked = halfDamage > 0 || fence !== undefined || lead === "tag" || lead === "mark" ||
    lead === "bracket";
  const isFenced = (gap: Gap) => gap.isFenced || fence !== undefined;
  const parameters = new ParameterMarks(text, marks, tool);
  const gap = skipGap(text, place.end, {
    markAt: reading.markAt,
    isKey: (one) => parameters.at(marks.indexOf(one)) !== undefined,
  });
  const candidates = [
    attributeCandidate(reading, place) ?? lineCandidate(reading, place),
    isMarked ? restCandidate(reading, place) : undefined,
    gap.isKey ? undefined : bracketCandidate(reading, place, { gap, isMarked }),
  ].filter((candidate) => candidate !== undefined);
  const first = lastMarkBefore(marks, place.end) + 1;
  let refusedDamage = Infinity;
  if (first < marks.length && isMarked ? gap.isKey || candidates.length === 0 : gap.isKey) {
    const tagged = readTagged({ ...reading, tool, first, from: place.end, mark, wrappers: wrappers.words });
    for (const { arguments: read, ...rest } of tagged) {
      if (read === undefined) refusedDamage = Math.min(refusedDamage, rest.damage);
      else candidates.push({ ...rest, arguments: read, notation: "tagged" });
    }
  }
  if (candidates.length === 0 && lead === "tag" && !place.isDamaged && !showsText(mark!)) {
    const lone = loneValue({ text, marks, tool, mark: mark!, index: first - 1 });
    if (lone !== undefined) candidates.push({ ...lone, damage: 0, closers: 1, notation: "text" });
  }
  if (candidates.length === 0 && isMarked) {
    const empty = emptyCandidate(reading, { place, first, wrappers: wrappers.words });
    if (empty !== undefined) candidates.push(empty);
  }
  const best = leastDamaged(candidates, refusedDamage);
  const isMarkup = lead === "tag" && mark!.named === undefined && MARKUP.includes(mark!.word.toLowerCase());
  if (isMarkup && (typeof best === "string" || best.notation === "empty")) return "markup";
  if (typeof best === "string") return best;
  const isInValue = (value: unknown) => typeof value === "string" && endsInBrace(value);
  if (halfDamage > 0 && Object.values(best.arguments).some(isInValue)) return "value";
  const closing = closersAfter(reading, best.end, {
    hasBrackets: !["tagged", "text"].includes(best.notation) || lead === "bracket",
    isFenced: isFenced(gap),
  });
  return [{
    tool,
    arguments: best.arguments,
    lead,
    notation: best.notation,
    at: place.at,
    ...(best.items === undefined ? {} : { items: best.items }),
    start: wrappers.start,
    end: closing.end,
    argumentsEnd: best.end,
    shownFrom: place.from ?? wrappers.start,
    damage: best.damage + halfDamage + (lead === "bracket" ? 0 : closing.damage),
    closers: best.closers + closing.closers,
    isMarked,
    isFenced: isFenced(gap),
    words: new Set([...wrappers.words, ...(mark ? [mark.word] : [])]),
  }];
}

function leastDamaged(candidates: readonly Candidate[], refusedDamage: number): Candidate | Law {
  const [best, ...others] = [...candidates].sort((a, b) => a.damage - b.damage);
  if (best === undefined) return refusedDamage < Infinity ? "value" : "no_arguments";
  if (best.notation === "tagged" && refusedDamage < best.damage) return "value";
  const rival = others.find((other) => !isJsonEqual(other.arguments, best.arguments));
  if (rival !== undefined && rival.damage - best.damage < MARGIN) return "two_readings";
  return best.damage > DAMAGE_MAXIMUM ? "damage" : best;
}

/** `<read path="a.txt"/>` */
function attributeCandidate(
  { text, marks }: Reading,
  { tool, lead, mark, end }: Place,
): Candidate | undefined {
  if (mark === undefined || lead !== "tag") return undefined;
  const own = Object.entries(mark.attributes).filter(([key]) =>
    declares(tool.schema, key) && !(key === "name" && mark.named === tool.name)
  );
  if (own.length === 0) return undefined;
  const next = marks[lastMarkBefore(marks, end) + 1];
  const isClosed = mark.isEmpty ||
    (next !== undefined && next.isCloser && next.word === mark.word && isBlankBetween(text, end, next.start));
  const fitted = isClosed
    ? fitArguments(
      tool,
      Object.fromEntries(own.map(([key, value]) => [key, unescapeText(value, "entities")])),
    )
    : undefined;
  return fitted && { arguments: fitted, end, damage: 0, closers: 1, notation: "attributes" };
}

/** `read path="a.txt" limit="5"` as the whole answer. */
function lineCandidate({ text, marks }: Reading, { tool, lead, at }: Place): Candidate | undefined {
  if (lead !== "line" || marks.length > 0 || skipBlank(text, 0) < at) return undefined;
  const line = text.slice(at).trim();
  const [tag] = findMarks(`<${line}>`);
  if (tag === undefined || tag.end < line.length + 2) return undefined;
  const written = Object.entries(tag.attributes).map(([key, value]) => `${key}="${value}"`);
  const isWhole = written.length > 0 && line === [tool.name, ...written].join(" ");
  const fitted = isWhole ? fitArguments(tool, tag.attributes) : undefined;
  return fitted &&
    { arguments: fitted, end: at + line.length, damage: 0, closers: 1, notation: "attributes" };
}

/** `Read", "path": "a.txt"}`: the rest of an object whose beginning is lost. */
function restCandidate({ text, budget }: Reading, { tool, end }: Place): Candidate | undefined {
  if (!`"'”`.includes(text[end] ?? " ")) return undefined;
  const comma = skipBlank(text, end + 1);
  if (text[comma] !== "," || !`"'`.includes(text[skipBlank(text, comma + 1)] ?? " ")) return undefined;
  // One brace more than the text has, so that the rest reads as an object.
  const read = readLooseValue(`{${text.slice(comma + 1)}`, 0, { canBeOpen: false, budget });
  const fitted = read && fitObject(tool, read.value);
  return fitted &&
    { arguments: fitted, end: comma + read.end, damage: 1 + read.damage, closers: 0, notation: "object" };
}

/** Arguments that are the object, or under its only key. */
function fitObject(tool: OfferedTool, value: unknown): Arguments | undefined {
  const fitted = fitArguments(tool, value);
  if (fitted !== undefined || !isRecord(value)) return fitted;
  const [key, ...others] = Object.keys(value);
  return key !== undefined && others.length === 0 && isArgumentKey(key)
    ? fitArguments(tool, value[key])
    : undefined;
}

/** `read {"path": "a.txt"}`, `read(path="a.txt")` */
function bracketCandidate(
  { text, tools, budget }: Reading,
  { tool, lead }: Place,
  { gap, isMarked }: { readonly gap: Gap; readonly isMarked: boolean },
): Candidate | undefined {
  const sign = text[gap.at];
  if (sign !== "{" && sign !== "(") return undefined;
  const inner = skipBlank(text, gap.at + 1);
  const isWrapped = sign === "(" && text[inner] === "{";
  const isKey = (key: string) => !hasParameters(tool) || declares(tool.schema, key);
  const read = readLooseValue(text, isWrapped ? inner : gap.at, { isKey, budget });
  if (
    read === undefined || !isRecord(read.value) ||
    !(isMarked || lead === "label" || lead === "line" || sign === "{")
  ) {
    return undefined;
  }
  const named = callsIn(read.value, tools);
  const fitted = fitObject(tool, read.value) ??
    (named?.length === 1 && named[0]!.tool === tool ? named[0]!.arguments : undefined);
  if (fitted === undefined) return undefined;
  const close = skipBlank(text, read.end);
  const end = isWrapped && text[close] === ")" ? close + 1 : read.end;
  return {
    arguments: fitted,
    end,
    damage: read.damage,
    closers: 0,
    notation: sign === "(" ? "keywords" : "object",
  };
}

/** `<read></read>`: a call of a tool that requires nothing. */
function emptyCandidate(
  { text, marks, isCall }: Reading,
  { place: { tool, mark, end }, first, wrappers }: {
    readonly place: Place;
    readonly first: number;
    readonly wrappers: readonly string[];
  },
): Candidate | undefined {
  if (mark?.isBroken || requiredParameters(tool.schema).length > 0) return undefined;
  if (mark?.isEmpty) return { arguments: {}, end, damage: 0, closers: 1, notation: "empty" };
  // An opener with nothing in it, such as that of arguments, may be inside.
  let at = first;
  while (
    marks[at + 1] && isOpenerOnly(marks[at]!) && !isCall(at) && isBlankBetween(text, end, marks[at]!.start) &&
    isBlankBetween(text, marks[at]!.end, marks[at + 1]!.start)
  ) at++;
  const closer = marks[at];
  if (closer === undefined || !closer.isCloser) return undefined;
  const from = at > first ? marks[at - 1]!.end : end;
  const gap = text.slice(from, closer.start).trim();
  const isOwn = closer.word === mark?.word || wrappers.includes(closer.word);
  const isEmpty = gap === ""
    ? isOwn
    : gap === "()" || gap === "{}" || (gap[0] === ":" && [...gap.slice(1)].every(isDigit));
  return isEmpty ? { arguments: {}, end: closer.end, damage: 0, closers: 1, notation: "empty" } : undefined;
}

function isOpenerOnly({ isCloser, named, isEmpty }: Mark): boolean {
  return !isCloser && named === undefined && !isEmpty;
}

/** An object or a list around the name that holds calls and nothing else. */
function readEnvelope(reading: Reading, place: Place): readonly ReadCall[] | Law {
  const { text, tools, budget } = reading;
  for (const begin of outerBrackets(reading, place)) {
    const read = readLooseValue(text, begin, { budget });
    if (read === undefined || read.end <= place.at) continue;
    if (read.damage === 0 && isReport(read.value)) return "shown";
    const calls = callsIn(read.value, tools);
    if (calls === undefined) continue;
    const around = aroundEnvelope(reading, begin);
    if (!around.isMarked && !namesFirst(reading, begin)) return "no_name_first";
    const closing = closersAfter(reading, read.end, { hasBrackets: true, isFenced: around.isFenced });
    const damage = read.damage + closing.damage;
    if (damage > ENVELOPE_DAMAGE_MAXIMUM) return "damage";
    return calls.map((call) => ({
      ...call,
      ...around,
      lead: "json",
      notation: "envelope",
      at: place.at,
      shownFrom: around.start,
      end: closing.end,
      argumentsEnd: read.end,
      damage,
      closers: closing.closers,
    }));
  }
  return "no_envelope";
}

const BRACKETS_MAXIMUM = 24;
const ENVELOPE_REACH = 20_000;

/** The brackets before a name that a value can begin with, the outermost first. */
function outerBrackets({ text, from }: Reading, { at }: Place): number[] {
  const found: number[] = [];
  const least = Math.max(from, at - ENVELOPE_REACH);
  for (let begin = at; begin >= least; begin--) {
    const sign = text[begin];
    if (sign !== "{" && sign !== "[") continue;
    const before = text[skipBlankBack(text, begin, Math.max(from, begin - 8)) - 1];
    const isMember = before !== undefined && `,"'{[`.includes(before) && begin > from;
    if (!isMember) found.push(begin);
    if (found.length > BRACKETS_MAXIMUM) found.shift();
  }
  return found.reverse();
}

const FIRST_KEYS = [
  ...[
    "name",
    "tool",
    "tool_name",
    "function",
    "action",
    "type",
    "tool_call",
    "tool_calls",
    "id",
    "method",
    "jsonrpc",
  ],
  ...["recipient_name", "function_name", "arguments", "parameters", "tool_uses", "call"],
];

/** Whether a call in JSON can begin with this key. */
export function isFirstKey(key: string): boolean {
  return FIRST_KEYS.includes(key);
}

/** Whether an object begins with a key that calls have; or with the thoughts before one, if it begins the answer. */
function namesFirst({ text, tools, marks }: Reading, begin: number): boolean {
  let at = begin;
  while (isBlank(text[at]) || "[{".includes(text[at] ?? " ")) at++;
  const quote = text[at] ?? " ";
  if (!`"'`.includes(quote)) return false;
  const end = indexWithin(text, quote, at + 1, 120);
  const key = end > at && end - at < 120 ? text.slice(at + 1, end) : "";
  const before = marks[lastMarkBefore(marks, begin)];
  const answer = answerStart(before);
  return isFirstKey(key) || tools.has(key) || (isThoughtKey(key) && isBlankBetween(text, answer, begin));
}

/** What the line that opens a fence states before calls in code. */
const CODE_WORDS = ["typescript", "ts", "python", "tool_code", "json", ""];

const FENCE_WORDS = ["json", "tool_calls", "tool_call", "tool", "function_calls", "function_call", ""];

/** What leads to an envelope: marks, a word after a token, the line that opens a fence. */
function aroundEnvelope(
  reading: Reading,
  begin: number,
): Pick<ReadCall, "start" | "isMarked" | "isFenced" | "words"> {
  const { text, marks } = reading;
  const words = new Set<string>();
  let start = labelAfterToken(reading, begin) ?? begin;
  let isMarked = false;
  const mark = markBeforeFence(reading, begin, FENCE_WORDS);
  if (mark !== undefined) {
    return { start: mark.start, isMarked: true, isFenced: true, words: new Set([mark.word]) };
  }
  const fence = fenceBefore(reading, begin, FENCE_WORDS);
  for (let index = lastMarkBefore(marks, start); index >= 0; index--) {
    const mark = marks[index]!;
    if (
      (mark.isCloser && !endsThoughts(mark)) || showsText(mark) || mark.start < reading.from ||
      !isBlankBetween(text, mark.end, start)
    ) break;
    isMarked = true;
    words.add(mark.word);
    if (mark.isCloser) break;
    start = mark.start;
  }
  if (isMarked || fence === undefined) return { start, isMarked, isFenced: false, words };
  return { start: fence, isMarked: false, isFenced: true, words };
}

/** Where the word begins that a special token has after it: `<|channel|>commentary {`. */
function labelAfterToken({ text, marks, from }: Reading, begin: number): number | undefined {
  let at = text[begin - 1] === " " ? begin - 1 : begin;
  while (at > from && begin - at < 32 && (isWordCharacter(text[at - 1]) || ".:".includes(text[at - 1]!))) {
    at--;
  }
  const mark = marks[lastMarkBefore(marks, at)];
  return mark?.end === at && mark.isSpecial && !mark.isCloser ? at : undefined;
}

/** The mark of a call directly before the fence that an offset is in: `<tool_call>```json`. */
function markBeforeFence(reading: Reading, begin: number, words: readonly string[]): Mark | undefined {
  const { text, marks } = reading;
  const fence = fenceBefore(reading, begin, words);
  const mark = fence === undefined ? undefined : marks[lastMarkBefore(marks, fence)];
  const opens = mark !== undefined && !mark.isCloser && !mark.isBroken && !showsText(mark) &&
    isCallWord(mark.word) && isBlankBetween(text, mark.end, fence!) && mark.start >= reading.from;
  return opens ? mark : undefined;
}

/** Where the fence begins whose opening line is directly before an offset. */
function fenceBefore(
  { text, marks, from }: Reading,
  begin: number,
  words: readonly string[],
): number | undefined {
  const last = skipBlankBack(text, begin, from);
  const mark = marks[lastMarkBefore(marks, last)];
  // A mark can be in the fence's line, before it.
  const line = Math.max(lineStart(text, last), mark?.end ?? 0);
  let at = line;
  while (text[at] === "`") at++;
  if (at - line < 3 || line < from) return undefined;
  const end = text.indexOf("\n", at);
  return end >= 0 && end < begin && words.includes(text.slice(at, end).trim()) ? line : undefined;
}

/** What closes a call: closing marks, brackets too many, the end of its fence. */
function closersAfter(
  { text, markAt }: Reading,
  from: number,
  { hasBrackets, isFenced }: { readonly hasBrackets: boolean; readonly isFenced: boolean },
): { readonly end: number; readonly damage: number; readonly closers: number } {
  let end = from;
  let damage = 0;
  let closers = 0;
  let isInFence = isFenced;
  for (let at = skipBlank(text, from); at < text.length; at = skipBlank(text, end)) {
    const mark = markAt(at);
    const sign = text[at]!;
    const fence = isInFence && wordAt(text, at, ["```"]) !== undefined ? fenceLineEnd(text, at) : undefined;
    if (mark !== undefined && (mark.isCloser || (!mark.isBroken && TURN_ENDS.has(mark.word)))) {
      end = mark.end;
    } else if (fence !== undefined) {
      end = fence;
      isInFence = false;
    } else if (hasBrackets && "])}".includes(sign)) {
      damage += sign === "}" ? 0.5 : 0.3;
      end = at + 1;
    } else return { end, damage, closers };
    closers++;
  }
  return { end: text.length, damage, closers };
}

function fenceLineEnd(text: string, at: number): number | undefined {
  let end = at;
  while (text[end] === "`") end++;
  const next = skipSpaces(text, end);
  return next >= text.length || "\n<".includes(text[next]!) ? next : undefined;
}
