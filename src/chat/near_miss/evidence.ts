/**
 * Finds what looks like a call in text: what the second reader reads or refuses although a mark or JSON shows that a call is
 * meant, and a layout of lines and signs around a name and its parameters (`laid_out.ts`), in which it finds no call.
 *
 *     <<CALL write_file>> {"path": }                   refused
 *     @@invoke write_file\n@arg path = src/a.ts        a layout
 *     You can use write_file with a path.              a sentence
 *
 * @module
 */
import { readEvidence, type Refusal } from "../../engine/evidence/evidence.ts";
import type { Law } from "../../engine/evidence/law.ts";
import { present } from "../../engine/object/present.ts";
import { declares } from "../../engine/tool/schema.ts";
import { REASON_OF } from "../second_reader/law_reasons.ts";
import { givenValues, laidOut } from "./laid_out.ts";
import { isWord, type NamePlace, type ToolNames, wordEnd } from "./tool_names.ts";

/** What looks like a call. */
export interface Evidence {
  /** The tool's own name. */
  readonly tool: string;
  /** The start of what was found: a UTF-16 offset. */
  readonly start: number;
  /** The end of what was found. */
  readonly end: number;
  /** The code of the law that refused it. */
  readonly detail?: string;
}

const REACH = 1024;

const MARK_MAXIMUM = 64;

/** This much before a name shows whether it is a string of JSON. */
const LEAD_MAXIMUM = 8;

/** The most names of a text that are looked at; the last ones, because calls end an answer. */
const PLACES_MAXIMUM = 300;

/** Nothing that can be arguments, as in a schema, and an element of a page. */
const NO_CALL: readonly Law[] = ["no_arguments", "markup"];

/** Before a name that is a string of JSON. */
const JSON_LEAD = /[:{,[]\s{0,4}\\?"$/;

/** Everything in a text that looks like a call, by its place; `isShown`: whether a part of the text only shows calls. */
export function findEvidence(
  text: string,
  names: ToolNames,
  isShown: (start: number, end: number) => boolean = () => false,
): readonly Evidence[] {
  const places = [...names.placesIn(text)];
  if (places.length === 0) return [];
  const found = readAgain(text, { names, places, isShown });
  for (const place of places.slice(-PLACES_MAXIMUM)) {
    // A string of JSON is the second reader's alone.
    const isRead = isInJson(text, place) ||
      found.some(({ start, end }) => start <= place.start && place.start < end);
    if (isRead) continue;
    const laid = laidOut(text, place);
    const isSentence = laid !== undefined && continuesSentence(text, laid.lastKey.end);
    const call = laid === undefined ? givenValues(text, place) : isSentence ? undefined : laid;
    if (call !== undefined) found.push({ tool: place.tool.name, start: call.start, end: call.end });
  }
  return found.sort((one, other) => one.start - other.start);
}

/** Whether a parameter of the tool is named after its name, or before it if its arguments come first. */
function hasParameter(text: string, { tool, start, end }: NamePlace, law: Law): boolean {
  const limit = Math.min(text.length, end + REACH);
  for (let at = law === "no_name_first" ? Math.max(0, start - REACH) : end; at < limit; at++) {
    if (!isWord(text.charCodeAt(at))) continue;
    const word = wordEnd(text, at);
    if (declares(tool.schema, text.slice(at, word))) return true;
    at = word;
  }
  return false;
}

function isInJson(text: string, { start }: NamePlace): boolean {
  return JSON_LEAD.test(text.slice(Math.max(0, start - LEAD_MAXIMUM), start));
}

/** Whether what the second reader refuses is meant as a call: a mark shows it, a value of it, or JSON that is damaged. */
function isMeant(text: string, name: NamePlace, { law, isEvident }: Refusal): boolean {
  return law === "value" || (isEvident && !NO_CALL.includes(law)) ||
    (law === "damage" && isInJson(text, name));
}

interface Names {
  readonly names: ToolNames;
  readonly places: readonly NamePlace[];
  readonly isShown: (start: number, end: number) => boolean;
}

/** What the second reader reads in a text, or refuses in it although it is meant as a call. */
function readAgain(text: string, { names: { tools }, places, isShown }: Names): Evidence[] {
  const { calls, refusal } = readEvidence(text, { tools, isCut: false, isShown });
  const found = calls.map(({ tool, start, end }) => ({
    tool: tool.name,
    start: markStart(text, start),
    end,
  }));
  const name = refusal && places.find(({ end }) => end > refusal.at);
  if (name === undefined || !isMeant(text, name, refusal!) || !hasParameter(text, name, refusal!.law)) {
    return found;
  }
  const { start: from, depth } = outerObject(text, name.start);
  if (depth > 1 && !isMarked(text, from)) return found;
  const start = markStart(text, from);
  if (isShown(start, name.end)) return found;
  const detail = REASON_OF[refusal!.law];
  return [...found, { tool: name.tool.name, start, end: lineEnd(text, name.end), ...present({ detail }) }];
}

/** Whether the line goes on with a word after the brackets that a parameter is in: then a sentence shows the call. */
function continuesSentence(text: string, from: number): boolean {
  const limit = Math.min(text.length, from + REACH);
  let closed = -1;
  for (let at = from; at < limit && text[at] !== "\n"; at++) {
    if ("})".includes(text[at]!)) closed = at;
  }
  const rest = closed < 0 ? "" : text.slice(closed + 1, closed + 3);
  return rest[0] === " " && rest[1] !== undefined && rest[1] >= "a" && rest[1] <= "z";
}

/** The outermost object that a place is in, and how many are around the place; without one, the place itself. */
function outerObject(text: string, at: number): { readonly start: number; readonly depth: number } {
  let depth = 0;
  let start = at;
  for (let index = at - 1; index >= Math.max(0, at - REACH); index--) {
    if (text[index] === "}") depth--;
    else if (text[index] === "{" && ++depth > 0) start = index;
  }
  return { start, depth };
}

/** Whether a mark is directly before JSON. Data that was asked for has none, and may hold a name deep inside. */
function isMarked(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start).trimEnd();
  return before !== "" && !isWord(before.charCodeAt(before.length - 1)) && !".[:,".includes(before.at(-1)!);
}

/** Where the mark begins that a place touches; a quote before the mark is not part of it. */
function markStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MARK_MAXIMUM && text[start - 1]!.trim() !== "") start--;
  while (start < at && "\"'`*“‘(".includes(text[start]!)) start++;
  return start;
}

function lineEnd(text: string, from: number): number {
  const end = text.slice(from, from + REACH).indexOf("\n");
  return end < 0 ? Math.min(text.length, from + REACH) : from + end;
}
