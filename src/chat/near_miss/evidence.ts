/**
 * Finds what looks like a call in text: the name of an offered tool, and close to it one of its declared parameters as
 * a key of JSON or in a tag; or a layout of lines and signs around both (`laid_out.ts`).
 *
 *     @@invoke write_file\n@arg path = src/a.ts        a call in a dialect that no rule reads
 *     You can use write_file with a path.              a sentence
 *
 * Looking at a text takes linear time: each name looks at a bounded part of the text around it.
 *
 * @module
 */
import { declares } from "../../engine/tool/schema.ts";
import { laidOut } from "./laid_out.ts";
import { type KeyForm, keyForm, type Lead, leadOf } from "./marks.ts";
import { isWord, type NamePlace, type ToolNames, wordEnd } from "./tool_names.ts";

/** What looks like a call. */
export interface Evidence {
  /** The tool's own name. */
  readonly tool: string;
  /** The start of what was found: a UTF-16 offset. */
  readonly start: number;
  /** The end of what was found. */
  readonly end: number;
}

/** A parameter is looked for this many characters after a name, and before it. */
const REACH = 1024;

const MARK_MAXIMUM = 64;

/** The most names of a text that are looked at; the last ones, because calls end an answer. */
const PLACES_MAXIMUM = 300;

/** The most declared words after a name that are looked at. */
const KEYS_MAXIMUM = 8;

/** This many words in a row are a sentence. */
const SENTENCE_WORDS = 4;

/** The key that marks a JSON Schema, which describes parameters and passes none. */
const SCHEMA_KEY = "properties";

/** Everything in a text that looks like a call. */
export function* findEvidence(text: string, names: ToolNames): Generator<Evidence> {
  for (const place of [...names.placesIn(text)].slice(-PLACES_MAXIMUM)) {
    const lead = leadOf(text, place.start);
    const key = keyAfter(text, { place, lead }) ??
      (lead === "json" ? keyBefore(text, place) : undefined);
    const laid = key === undefined || lead !== "json" ? laidOut(text, place) : undefined;
    if (laid !== undefined && !continuesSentence(text, laid.lastKey.end)) {
      yield { tool: place.tool.name, start: laid.start, end: laid.end };
      continue;
    }
    if (key === undefined) continue;
    const outer = outerObject(text, place.start);
    if (continuesSentence(text, key.end)) continue;
    if (lead === "json" && outer.depth > 1 && !isMarked(text, outer.start)) continue;
    const start = markStart(text, { at: outer.start, hasWord: lead === "sign" || lead === "label" });
    yield { tool: place.tool.name, start, end: Math.max(place.end, key.end) };
  }
}

interface KeyPlace {
  readonly start: number;
  readonly end: number;
}

/** The first declared parameter after a name, if no sentence is between them. */
function keyAfter(
  text: string,
  { place, lead }: { place: NamePlace; lead: Lead | undefined },
): KeyPlace | undefined {
  const limit = Math.min(text.length, place.end + REACH);
  let words = 0;
  let keys = 0;
  for (let at = place.end; at < limit;) {
    if (!isWord(text.charCodeAt(at))) {
      if (text[at] === "." && text[at + 1] === " ") return undefined;
      if (!" ,;'".includes(text[at]!)) words = 0;
      at++;
      continue;
    }
    const key = { start: at, end: wordEnd(text, at) };
    at = key.end;
    const word = text.slice(key.start, key.end);
    const isKey = declares(place.tool.schema, word);
    if (isKey && ++keys > KEYS_MAXIMUM) return undefined;
    const form = isKey ? keyForm(text, key.start, key.end) : undefined;
    if (form !== undefined) {
      return isCallLike({ lead, form, gap: text.slice(place.end, key.start) }) ? key : undefined;
    }
    if (word === SCHEMA_KEY || ++words >= SENTENCE_WORDS) return undefined;
  }
  return undefined;
}

/** JSON whose arguments come before the name: `{"input": {"path": "a"}, "tool": "read_file"}`. */
function keyBefore(text: string, { tool, start }: NamePlace): KeyPlace | undefined {
  const from = Math.max(0, start - REACH);
  let found: KeyPlace | undefined;
  for (let at = from; at < start;) {
    if (!isWord(text.charCodeAt(at))) {
      if (text[at] === "\n" && text[at + 1] === "\n") found = undefined;
      at++;
      continue;
    }
    const key = { start: at, end: wordEnd(text, at) };
    at = key.end;
    const word = text.slice(key.start, key.end);
    if (word === SCHEMA_KEY) return undefined;
    if (found === undefined && declares(tool.schema, word) && keyForm(text, key.start, key.end) === "json") {
      found = key;
    }
  }
  return found;
}

/** Whether a name and a parameter belong together, by the marks of both and the text between them. */
function isCallLike(
  { lead, form, gap }: { lead: Lead | undefined; form: KeyForm; gap: string },
): boolean {
  const isMarked = lead === "json" || lead === "tag" || lead === "sign" || lead === "label";
  if (gap.includes("\n> ")) return false;
  switch (form) {
    case "json":
      if (gap.includes("\n\n") && (lead !== "sign" || !gap.endsWith('\n\n{"'))) return false;
      return lead !== undefined || (gap.trimStart().length < 24 && !gap.includes("("));
    case "keyword":
      return (isMarked || lead === "line") && !gap.includes("\n\n");
    case "tag":
      return isMarked;
  }
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
function markStart(text: string, { at, hasWord }: { at: number; hasWord: boolean }): number {
  let start = runStart(text, at);
  if (hasWord && start === at) {
    let space = start;
    while (space > 0 && text[space - 1] === " ") space--;
    start = runStart(text, space);
  }
  while (start < at && "\"'`*“‘(".includes(text[start]!)) start++;
  return start;
}

function isSpace(character: string | undefined): boolean {
  return character === undefined || " \n\t\r".includes(character);
}

/** Where the characters before a place begin that are not white space. */
function runStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MARK_MAXIMUM && !isSpace(text[start - 1])) start--;
  return start;
}
