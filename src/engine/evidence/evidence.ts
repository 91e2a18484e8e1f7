/**
 * The second reader: reads calls by evidence, and knows no dialect. It gets a whole text and the offered tools, and decides
 * whole: marks → places of names → readings of each → the least damage → the laws.
 *
 * @module
 */
import type { OfferedTool, OfferedTools } from "../tool/offered.ts";
import type { Law } from "./law.ts";
import { findMarks, type Mark } from "./mark.ts";
import { findPlaces, type Place } from "./place.ts";
import { type Answer, closesLostCall, positionLaw } from "./position.ts";
import { type ReadCall, type Reading, readPlace } from "./reading.ts";
import { isBlank, isLetter, lineStart, skipBlankBack, skipSpaces, wordStart } from "./characters.ts";
import { hasCallPart } from "./call_word.ts";
import type { ToolsByName } from "./tool_fit.ts";

export interface EvidenceOptions {
  /** The tools that can be called; see {@linkcode callableTools}. */
  readonly tools: ToolsByName;
  /** Where calls can begin; the text before was sent. By default, anywhere. */
  readonly from?: number;
  /** Where the last call before ends that was made. */
  readonly after?: number;
  /** Whether the answer was cut off at the text's end. */
  readonly isCut: boolean;
  /** Whether a stretch of the text is in code, a quotation, a table or another place that shows text. */
  readonly isShown: (start: number, end: number) => boolean;
}

export interface EvidenceResult {
  /** The calls in the order of the text; empty if a law refuses one of them. */
  readonly calls: readonly ReadCall[];
  /** The first law that refused something. */
  readonly refusal?: Refusal;
  /** Where names are that look like calls and couldn't be read. */
  readonly unread: readonly number[];
}

export interface Refusal {
  readonly law: Law;
  /** Where what was refused begins. */
  readonly at: number;
  readonly tool: string;
  /** Whether a mark or JSON shows that a call is meant. */
  readonly isEvident: boolean;
}

interface Unread {
  readonly law: Law;
  readonly place: Place;
}

/**
 * @example
 * ```ts
 * import { callableTools, readEvidence } from "./evidence.ts";
 * import { offer } from "../tool/offered.ts";
 * const offered = offer([{ name: "read", schema: { properties: { path: { type: "string" } } } }]);
 * const { calls } = readEvidence("<tool_call>read\n<path>a.txt</path></tool_call>", {
 *   tools: callableTools(offered),
 *   isCut: false,
 *   isShown: () => false,
 * });
 * console.assert(calls[0]?.arguments["path"] === "a.txt");
 * ```
 */
export function readEvidence(
  text: string,
  { tools, isCut, isShown, from = 0, after = 0 }: EvidenceOptions,
): EvidenceResult {
  const marks = findMarks(text);
  // The words of a label can be sent before its name.
  const places = findPlaces(text, tools, marks)
    .filter(({ start, at, lead }) => (lead === "label" ? at : start) >= from);
  const { calls: read, refusals } = readAll({ text, tools, marks, places });
  // What the text only shows isn't a call.
  const calls = read.filter((call) => !isShown(call.shownFrom, call.isFenced ? call.end : call.argumentsEnd));
  const open = refusals.filter(({ place }) => isOpenCall(place, read));
  const unread = open.map(({ place }) => place.at);
  const refusal = lostBefore(text, { calls, after, isShown }) ??
    refusalOf({ text, marks, calls, isCut, after }) ??
    (calls.length === 0 ? refusals : open).filter(({ place }) =>
      !isShown(objectStart(text, place), place.end)
    )
      .map(({ law, place }) => ({
        law: calls.length === 0 ? law : "part" as const,
        at: place.start,
        tool: place.tool.name,
        isEvident: unread.includes(place.at) && !isInSentence(text, place.start) &&
          !endsBlock(text, place.end),
      }))[0];
  return refusal === undefined ? { calls, unread } : { calls: [], refusal, unread };
}

/** Where the object of a name opens: the quotation marks in it don't quote it, even if one is lost. */
function objectStart(text: string, { lead, start }: Place): number {
  const open = lead === "json" ? text.lastIndexOf("{", start) : -1;
  return open < 0 ? start : open;
}

/** What begins a block of Markdown, or ends a paragraph. */
const BLOCKS = "\n-*+#>|`0123456789";

/** The longest tag of a mention. */
const TAG_MAXIMUM = 80;

/** Whether a place ends its paragraph or its item of a list: then it is a mention, because nothing follows that could be arguments. */
function endsBlock(text: string, at: number): boolean {
  let end = skipSpaces(text, at);
  // Tags right after it show only how a call is written.
  while (text[end] === "<") {
    const [tag = "", rest] = text.slice(end, end + TAG_MAXIMUM).split(">", 2);
    if (rest === undefined || tag.includes("\n")) return false;
    end = skipSpaces(text, end + tag.length + 1);
  }
  return text[end] === "\n" && BLOCKS.includes(text[skipSpaces(text, end + 1)] ?? "\n");
}

/**
 * Whether a word comes before a place in its line, and before what touches it: a mark there is a part of the sentence. The word
 * of a token isn't: `<|open|>call tool="read"`.
 */
function isInSentence(text: string, start: number): boolean {
  const line = lineStart(text, start);
  let at = start;
  while (at > line && !isBlank(text[at - 1])) at--;
  const end = skipBlankBack(text, at, line);
  return end < at && isLetter(text[end - 1]) && text[wordStart(text, end) - 1] !== ">";
}

/** The first call before which another one has lost its beginning. */
function lostBefore(
  text: string,
  { calls, after, isShown }: Pick<Answer, "calls" | "after"> & Pick<EvidenceOptions, "isShown">,
): Refusal | undefined {
  let from = after;
  for (const { start, end, tool } of calls) {
    if (closesLostCall(text.slice(0, start), { from, isShown })) {
      return { law: "part", at: start, tool: tool.name, isEvident: true };
    }
    from = end;
  }
  return undefined;
}

/** The first call that its position refuses. */
function refusalOf(answer: Answer): Refusal | undefined {
  for (const [index, { start, tool, isMarked }] of answer.calls.entries()) {
    const law = positionLaw(answer, index);
    if (law !== undefined) return { law, at: start, tool: tool.name, isEvident: isMarked };
  }
  return undefined;
}

/** The offered tools that text can call, under each of their names. */
export function callableTools(offered: OfferedTools): ToolsByName {
  const tools = new Map<string, OfferedTool>();
  for (const name of offered.spellings ?? offered.names) {
    const tool = offered.resolve(name);
    if (tool !== undefined && (offered.allows?.(tool.name) ?? true)) tools.set(name, tool);
  }
  return tools;
}

interface Places {
  readonly text: string;
  readonly tools: ToolsByName;
  readonly marks: readonly Mark[];
  readonly places: readonly Place[];
}

/** The most places and calls of an answer; with more, none is read. */
const COUNT_MAXIMUM = 64;

/** How often each character may be read as JSON, on average, and how many may be read in a short answer. */
const READ_AGAIN = 16;
const READ_FREE = 64 * 1024;

/** Reads each place that no call before it contains. */
function readAll({ places, ...whole }: Places): { readonly calls: ReadCall[]; readonly refusals: Unread[] } {
  const { text, marks } = whole;
  const byStart = new Map(marks.map((mark) => [mark.start, mark]));
  const callMarks = new Set(
    places.filter(({ lead }) => lead === "tag" || lead === "mark").map(({ mark }) => mark),
  );
  const calls: ReadCall[] = [];
  const refusals: Unread[] = [];
  const budget = { left: READ_FREE + READ_AGAIN * text.length };
  let from = 0;
  for (const found of places) {
    if (calls.length + refusals.length >= COUNT_MAXIMUM) {
      return { calls: [], refusals: [{ law: "damage", place: found }] };
    }
    if (found.at < from) continue;
    const place = found.lead === "next" ? inList(text, found, calls.at(-1)) : found;
    if (place === undefined) continue;
    const reading: Reading = {
      ...whole,
      from,
      budget,
      markAt: (at) => byStart.get(at),
      isCall: (index) => callMarks.has(marks[index]),
    };
    const read = readPlace(reading, place);
    if (typeof read === "string") {
      refusals.push({ law: read, place });
      continue;
    }
    calls.push(...read);
    from = Math.max(from, ...read.map(({ end }) => end));
  }
  return { calls, refusals };
}

/** `[read(path="a"), read(path="b")]`: the second one is in the first one's bracket. */
function inList(text: string, place: Place, last: ReadCall | undefined): Place | undefined {
  const isNext = last?.lead === "bracket" && [",", ";"].includes(text.slice(last.end, place.start).trim());
  return isNext ? { ...place, lead: "bracket" } : undefined;
}

/** Whether a place that couldn't be read looks like a call all the more: a part of the calls is worse than none. */
function isOpenCall({ lead, mark, at }: Place, calls: readonly ReadCall[]): boolean {
  if (calls.some(({ start, end }) => start <= at && at < end)) return false;
  return lead === "tag" || lead === "json" ||
    (lead === "mark" && mark !== undefined && !mark.isCloser && hasCallPart(mark.word));
}
