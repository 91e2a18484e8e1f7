/**
 * Finds a call by its layout, whatever its signs are: the tool's name leads a line, and each required parameter's name
 * leads a line or follows a sign, with a value after it. All values of a description are prose; one of a call isn't.
 *
 *     >> OPERATION: write_file        name, with at most two words before it
 *     >> path → src/a.ts              parameter, sign, value
 *     >> content → let x = 1;
 *
 * @module
 */
import { declares, requiredParameters } from "../../engine/tool/schema.ts";
import { isWord, type NamePlace, wordEnd } from "./tool_names.ts";
import { TYPE_WORD } from "./value.ts";

/** The parameters are looked for this many characters after a name. */
const REACH = 2048;

/** The most names of parameters after a name that are looked at. */
const KEYS_MAXIMUM = 32;

/** The most that is before a name or a parameter in its line, without sentences. */
const LEAD_MAXIMUM = 64;

/** The most of a line before a name that is looked at. */
const LINE_MAXIMUM = 512;

/** What is looked at of a value. */
const VALUE_MAXIMUM = 64;

/** The sentences of a line before a call begins in it. */
const SENTENCES = /^.*\p{L}[.!?] +(?=\S)/u;

/** Before the name: signs, and at most two words; not a row of a table. */
const NAME_LEAD = /^(?!.*\| )[^\p{L}\p{N}`]*(?:[\p{L}\p{N}_-]{1,24}[^\p{L}\p{N}`,;]+){0,2}$/u;

/** A sign of neither Markdown nor prose: then one parameter is enough, because a call without another one is a call, too. */
const SIGN_LEAD = /^[@$%&!~^\\+=§¶→⇒]/u;

/** Before a name with an argument list: a sign, capitals or `tools.`, because source text has `def f(`, `x = f(` and `[f(`. */
const LIST_LEAD = /^(?:[^\s\p{L}\p{N}=|[({-][^=]*|\p{Lu}{2,} |[\p{L}_]{1,16}(?:\.|! ?))$/u;

/** From the name to the first parameter: signs, and at most three words of no sentence and no quotation. */
const GAP =
  /^(?![^]*(?:[.,;?!] \p{L}|\n> ))[^\p{L}\p{N}]*(?:[\p{L}\p{N}_.]{1,24}[^\p{L}\p{N}]+){0,3}(?:\d[.)] )?$/u;

/** Before a parameter that leads its line: signs, and at most one word. */
const KEY_LEAD = /^(?:\d[.)] )?[^\p{L}\p{N}`]{0,12}(?:[\p{L}\p{N}]{1,16}(?:\.|[^\p{L}\p{N}`.,]{1,8}))?$/u;

/** Before a parameter in the middle of a line: a sign of its own. */
const KEY_SIGN = /(?:[;(&?{[<>/:=~→⇒-]|[,>]\s?|["'] |\p{Lu}{2,} )["'“‘:]?\s?$|\| ?$/u;

/** After a parameter that follows a space: a sign that touches it, and a quote, a bracket, or a value before another parameter or nothing. */
const TOUCHING_VALUE = /^[=:](?:["'‹«<[{]|[^\s=:]+(?: +[\w-]+[=:]\S|\n|$))/u;

/** After a parameter that follows a space: a sign between spaces that prose doesn't have. */
const SPACED_VALUE = /^ (?:→|⇒|⟶|←|»|›|:=|[-=]>) \S/u;

/** A value that touches its sign ends at a space. */
const TOUCHED = /^[=:]\S/;

/** Signs or capitals before a parameter that a space alone separates from its value: `%path a`, `ARG path a`; no list. */
const SPACE_LEAD = /^(?!\s*(?:[-*+>#|]{1,6}|\d[.)])\s)\s*(?:[^\s\p{L}\p{N}]|\p{Lu}{2,}\s)/u;

/** After a parameter: a sign, a quote, or the end of its line; then a value. */
const KEY_END = new RegExp(
  [
    "^(?:",
    /["'”’*\])}>:%$!»›】」|]{0,4}[^\S\n]{0,4}(?:[:=:=~→⇒⟶←≔>»›|␟*-]{1,3}[>:=|*]{0,2}|<{2,3}[-~]?["']?\w{1,16}["']?\n|(?:as|is|equals|set to|to|IS)[ ])/u
      .source,
    "|",
    /[\])}>:%$!»›】」⟧⟩⟫|*]{1,3}[^\S\n]?(?=\S)/u.source,
    "|",
    /[^\S\n]?(?=["'([{])/u.source,
    "|",
    /[^\p{L}\p{N}\s.,;`()]{0,3}[^\S\n]*\n/u.source,
    String.raw`)\s{0,4}(?=\S)`,
  ].join(""),
  "u",
);

/** A value that a description of the parameter has: two words, its type, or whether it is required. */
const DESCRIPTION = new RegExp(
  `^[*_("'\`<\\[]{0,3}(?:${TYPE_WORD}|required|optional|yes|no)(?! ?=|[\\p{L}\\p{N}_./-])|^[\\p{L}'’-]+,? [\\p{L}(]`,
  "iu",
);

interface Key {
  readonly start: number;
  readonly end: number;
}

/** A call that is laid out around a name, from its mark to the end of its last required parameter's line. */
interface LaidOut {
  readonly start: number;
  readonly lastKey: Key;
  readonly end: number;
}

/** The call that is laid out around a name, or undefined if there is none. */
export function laidOut(text: string, place: NamePlace): LaidOut | undefined {
  const line = lineBefore(text, place.start);
  const lead = line.slice(SENTENCES.exec(line)?.[0].length ?? 0);
  if (lead.length > LEAD_MAXIMUM || !NAME_LEAD.test(lead)) return undefined;
  if (text[place.end] === "(" && !LIST_LEAD.test(lead)) return undefined;
  const missing = new Set(SIGN_LEAD.test(lead) ? [] : requiredParameters(place.tool.schema));
  const limit = Math.min(text.length, place.end + REACH);
  let isFirst = true;
  let hasValue = false;
  let keys = 0;
  for (let at = place.end; at < limit && keys < KEYS_MAXIMUM; at++) {
    if (!isWord(text.charCodeAt(at))) continue;
    const key = { start: at, end: wordEnd(text, at) };
    at = key.end - 1;
    const name = text.slice(key.start, key.end);
    if (!declares(place.tool.schema, name)) continue;
    keys++;
    const value = valueOf(text, { place, key });
    if (value === undefined) continue;
    if (isFirst && !GAP.test(text.slice(place.end, key.start))) return undefined;
    isFirst = false;
    missing.delete(name);
    hasValue ||= !DESCRIPTION.test(value);
    if (missing.size > 0 || !hasValue) continue;
    return { start: place.start - lead.trimStart().length, lastKey: key, end: lineEnd(text, key.end) };
  }
  return undefined;
}

/** A value that isn't prose: quoted, or with a sign between its characters. */
const GIVEN = String
  .raw`(?:"[^"\n]{1,200}"|'[^'\n]{1,200}'|[\w./~-]{0,200}\w[./\\@:*][\w/*][\w./\\@:*-]{0,200})`;

const EACH_GIVEN = new RegExp(GIVEN, "u");

/** Values without names up to the end of the answer: on the name's line, in brackets, or after a label on the next one. */
const GIVEN_VALUES = new RegExp(
  String
    .raw`^(?:[^\S\n]*[:=>-]{0,2}>?[^\S\n]|[(\[])(?:\s*[([{]?\s*)${GIVEN}(?:,\s*${GIVEN}){0,7}\s*[)\]}]{0,2};?\s*$|` +
    String.raw`^\n[\p{L}_]{1,16}(?:[ _][\p{L}]{1,16})? ?[:=] ?\[?${GIVEN}\]?\s*$`,
  "u",
);

/** A name that isn't a word of a language, so that a list or a heading isn't meant by it. */
const IS_NAME = /[_-]|[a-z][A-Z]/;

/** Before a name without parameters: signs, or a label; no item of a list, and no sentence. */
const LABEL_LEAD = /^(?!\s*(?:[-*+•]|\d+[.)])\s)(?:[^\p{L}\p{N}`]*|[^`]*[:=>→»|({[]\s*)$/u;

/** A call that names no parameter and ends the answer: `read_file src/a.ts`. */
export function givenValues(text: string, place: NamePlace): Omit<LaidOut, "lastKey"> | undefined {
  const lead = lineBefore(text, place.start);
  const rest = text.slice(place.end, place.end + REACH + 1);
  if (rest.length > REACH || lead.length > LEAD_MAXIMUM || !NAME_LEAD.test(lead)) return undefined;
  if (!IS_NAME.test(text.slice(place.start, place.end)) || !LABEL_LEAD.test(lead)) return undefined;
  if (!GIVEN_VALUES.test(rest)) return undefined;
  const count = rest.split(EACH_GIVEN).length - 1;
  if (count < requiredParameters(place.tool.schema).length) return undefined;
  return { start: place.start - lead.trimStart().length, end: text.trimEnd().length };
}

/** The beginning of the value of a parameter, if its name leads a line or follows a sign. */
function valueOf(text: string, { place, key }: { place: NamePlace; key: Key }): string | undefined {
  const before = lineBefore(text, key.start);
  const lead = before.slice(-Math.min(LEAD_MAXIMUM, key.start - place.end));
  const leads = lead.length === before.length && KEY_LEAD.test(lead);
  const rest = text.slice(key.end, key.end + VALUE_MAXIMUM);
  const signs = KEY_SIGN.test(lead) && rest[0] !== ")" ||
    lead.endsWith(" ") && (TOUCHING_VALUE.test(rest) || SPACED_VALUE.test(rest));
  if (!leads && !signs) return undefined;
  const end = KEY_END.exec(rest) ??
    (leads && SPACE_LEAD.test(lead) || /(?:^|[\w"]) (?:--|:)$/.test(lead)
      ? /^[^\S\n]{1,4}(?=\S)/.exec(rest)
      : null);
  const [line = ""] = end === null ? [] : rest.slice(end[0].length).replace(/^```\w*\n/, "").split("\n", 1);
  const value = TOUCHED.test(rest) && !leads ? line.split(" ", 1)[0]! : line;
  return /[\p{L}\p{N}]/u.test(value) ? value : undefined;
}

/** The line before a place, or as much of its end as is looked at. */
function lineBefore(text: string, at: number): string {
  const from = Math.max(0, at - LINE_MAXIMUM);
  return text.slice(from, at).split("\n").at(-1)!;
}

function lineEnd(text: string, from: number): number {
  const end = text.slice(from, from + REACH).indexOf("\n");
  return end < 0 ? from : from + end;
}
