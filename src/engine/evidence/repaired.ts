/**
 * Reads a text in which one sign is damaged: lost, doubled, misspelled or replaced. Every text that one edit makes of it is
 * read; if those that are whole and undamaged give the same calls, these are the calls. If two differ, there is none.
 *
 *     {"name": read", "arguments": {…}}       a quotation mark at one place makes it whole
 *     <parameter=path>a</paameter>            a closer that has one letter less than one that would fit
 *     <key>path<key>                          the opener in the place of its closer
 *
 * @module
 */
import { isBlank, isLetter, isWordCharacter, lineStart, skipBlank, skipBlankBack } from "./characters.ts";
import { type EvidenceOptions, type EvidenceResult, readEvidence } from "./evidence.ts";
import type { Law } from "./law.ts";
import { endsInBrace } from "./loose_value.ts";
import { findMarks, type Mark } from "./mark.ts";
import { endsInHalf, isRestOfCall } from "./position.ts";
import type { ReadCall } from "./reading.ts";
import { hasEvery } from "../tool/schema.ts";

/** The text between two offsets is another one. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The longest text that is repaired, and the most characters that are read for it. */
const LENGTH_MAXIMUM = 4096;
const READ_MAXIMUM = 48 * 1024;
const MARKS_MAXIMUM = 48;

/** How much of the text before a call can refuse it, in characters and the rest of a line. */
const BEFORE = 200;

/** How much damage a repaired text can have: notations, such as single quotes, but no other lost sign. */
const DAMAGE_MAXIMUM = 0.35;

/** What an edit can repair. The other laws are about where a call is, not about its signs. */
const REPAIRABLE: ReadonlySet<Law> = new Set([
  ...["no_arguments", "no_envelope", "value", "two_readings", "damage", "mark_left", "part"],
] as Law[]);

/** The calls of a text, or of the one text that a single edit makes of it. */
export function readRepaired(text: string, options: EvidenceOptions): EvidenceResult {
  const read = readEvidence(text, options);
  const { from = 0, isCut } = options;
  const isDamaged = read.refusal === undefined ? read.calls.length === 0 : REPAIRABLE.has(read.refusal.law);
  if (!isDamaged || isCut || text.length > LENGTH_MAXIMUM) return read;
  const edits = editsOf(text, from);
  const base = lineStart(text, Math.max(0, from - BEFORE));
  if (edits.all.length * (text.length - base) > READ_MAXIMUM) return read;
  let found: { readonly key: string; readonly calls: readonly ReadCall[] } | undefined;
  for (const edit of edits.all) {
    const calls = callsAfter(edit, { text, base }, options);
    if (calls === undefined || !calls.every((call) => isClean(call.arguments, edits.spellings))) continue;
    // What an edit removes can be the whole value.
    const isEmptied = edit.text === "" && calls.some((call) => Object.values(call.arguments).includes(""));
    if (isEmptied) continue;
    // An edit that hides a call doesn't repair it.
    if (read.unread.some((at) => !calls.some(({ start, end }) => start <= at && at < end))) continue;
    const key = JSON.stringify(calls.map(({ tool, arguments: read }) => [tool.name, read]));
    if (found !== undefined && found.key !== key) return read;
    found ??= { key, calls };
  }
  const isMeant = found?.calls.every((call) =>
    !options.isShown(call.shownFrom, call.isFenced ? call.end : call.argumentsEnd)
  );
  return found !== undefined && isMeant ? { calls: found.calls, unread: [] } : read;
}

/**
 * The calls of the text after an edit, with the offsets of the text before it; undefined if it isn't whole: each call has
 * arguments, and nothing but marks follows the last one.
 */
function callsAfter(
  edit: Edit,
  { text, base }: { readonly text: string; readonly base: number },
  options: EvidenceOptions,
): readonly ReadCall[] | undefined {
  const edited = text.slice(base, edit.start) + edit.text + text.slice(edit.end);
  const added = edit.text.length - (edit.end - edit.start);
  const before = (offset: number) =>
    offset + base <= edit.start
      ? offset + base
      : Math.max(edit.start, Math.min(text.length, offset + base - added));
  const from = Math.max(0, (options.from ?? 0) - base);
  const after = Math.max(0, (options.after ?? 0) - base);
  const { calls, refusal } = readEvidence(edited, { ...options, from, after, isShown: () => false });
  if (refusal !== undefined || calls.length === 0) return undefined;
  const isAtEnd = edit.end >= text.trimEnd().length;
  const isHalf = endsInHalf(text, base) ||
    (isAtEnd &&
      calls.some(({ notation, tool, arguments: read }) =>
        notation !== "envelope" && !hasEvery(tool.schema, (name) => Object.hasOwn(read, name))
      ));
  const isWhole = !isHalf &&
    calls.every(({ damage, notation, arguments: read }) =>
      damage <= DAMAGE_MAXIMUM && notation !== "text" && Object.keys(read).length > 0
    ) &&
    !isContent(edit, edited.slice(0, edit.start - base), { edited, read: { ...options, from, after } });
  const rest = edited.slice(Math.max(...calls.map(({ end }) => end))).trim();
  if (!isWhole || (rest !== "" && !isRestOfCall(rest))) return undefined;
  return calls.map((call) => ({
    ...call,
    start: before(call.start),
    end: before(call.end),
    argumentsEnd: before(call.argumentsEnd),
    shownFrom: before(call.shownFrom),
    damage: 1,
  }));
}

/** A sign that no text has. */
const NO_SIGN = "\uE000";

/** Whether what an edit adds would be a part of a value: then any other sign in its place reads as well. */
function isContent(
  { text }: Edit,
  before: string,
  { edited, read }: { readonly edited: string; readonly read: EvidenceOptions },
): boolean {
  if (text === "") return false;
  const other = before + NO_SIGN.repeat(text.length) + edited.slice(before.length + text.length);
  const { calls, refusal } = readEvidence(other, { ...read, isShown: () => false });
  return refusal === undefined && calls.some((call) => JSON.stringify(call.arguments).includes(NO_SIGN));
}

/** Signs that are parts of marks and never of what is alone. */
const PARTS_OF_MARKS = ["]<", "<]", ">[", "[>", "<|", "|>"];

/** Whether no part of a mark is left in a value, and no blank at its edges that an edit could have put there. */
function isClean(value: unknown, spellings: ReadonlySet<string>): boolean {
  if (typeof value === "object" && value !== null) {
    return Object.values(value).every((inner) => isClean(inner, spellings));
  }
  if (typeof value !== "string") return true;
  const isHalf = value.startsWith(">") || (value.startsWith("<") && isBlank(value[1])) ||
    "=,".includes(value.at(-1) ?? " ");
  if (value.trim() !== value || isHalf || endsInBrace(value)) return false;
  // `\\"a"`: the quotation mark that opens the value.
  if (value.startsWith('"') && value.split('"').length % 2 === 0) return false;
  const isPart = (part: string) => value.includes(part);
  return !PARTS_OF_MARKS.some(isPart) && ![...spellings].some(isPart) && !value.includes("</s>");
}

interface Edits {
  readonly all: readonly Edit[];
  readonly spellings: ReadonlySet<string>;
}

function editsOf(text: string, from: number): Edits {
  const marks = findMarks(text).filter(({ start }) => start >= from);
  if (marks.length > MARKS_MAXIMUM) return { all: [], spellings: new Set() };
  const spellings = spellingsOf(text, marks);
  const edits = [
    ...misspelled(text, from, spellings),
    ...attributeEdits(text, marks),
    ...markEdits(text, marks, spellings),
    ...signEdits(text, from, marks),
  ];
  const known = new Set<string>();
  const last = text.trimEnd().length;
  const all = edits.filter(({ start, end, text: given }) => {
    // What the end of the answer leaves open can be cut off.
    if (start >= last && !"]})".includes(given)) return false;
    const key = `${start} ${end} ${given}`;
    return !known.has(key) && known.add(key).size > 0;
  });
  return { all, spellings };
}

/** The marks of the text, and the counterparts of those that are a word alone. */
function spellingsOf(text: string, marks: readonly Mark[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { start, end, isBroken, isCloser, isSpecial, word } of marks) {
    if (isBroken) continue;
    const spelling = text.slice(start, end);
    found.add(spelling);
    if (!isCloser && !isSpecial && spelling.startsWith(`<${word}`)) found.add(`</${word}>`);
    if (spelling === `</${word}>`) found.add(`<${word}>`);
  }
  return found;
}

/** Marks that lost one character. */
function* misspelled(text: string, from: number, spellings: ReadonlySet<string>): Generator<Edit> {
  for (const spelling of spellings) {
    for (let lost = 0; lost < spelling.length; lost++) {
      const short = spelling.slice(0, lost) + spelling.slice(lost + 1);
      if (short.length < 3) continue;
      for (let at = text.indexOf(short, from); at >= 0; at = text.indexOf(short, at + 1)) {
        const isWhole = text.startsWith(spelling, at) || text.startsWith(spelling, at - 1) ||
          (lost === 0 && text[at - 1] === spelling[0]);
        if (!isWhole) yield { start: at, end: at + short.length, text: spelling };
      }
    }
  }
}

/** An attribute's sign that is lost or doubled: `name"path"`, `name=="path"`. */
function* attributeEdits(text: string, marks: readonly Mark[]): Generator<Edit> {
  for (const { start, end } of marks) {
    for (let at = start + 1; at < end; at++) {
      if (text[at] === '"' && isLetter(text[at - 1])) yield { start: at, end: at, text: "=" };
      if (text[at] === "=" && text[at - 1] === "=") yield { start: at, end: at + 1, text: "" };
      if (text[at] === '"' && text[at - 1] === '"') yield { start: at, end: at + 1, text: "" };
    }
  }
}

/** How many marks of each word have no counterpart. */
function countsOf(marks: readonly Mark[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const mark of marks) count(counts, mark, 1);
  return counts;
}

function count(counts: Map<string, number>, { word, isCloser, isEmpty }: Mark, by: number): void {
  if (!isEmpty) counts.set(word, (counts.get(word) ?? 0) + (isCloser ? -by : by));
}

function imbalance(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const value of counts.values()) sum += Math.abs(value);
  return sum;
}

/** Marks that are too many, missing or others, as far as an edit leaves fewer marks without their counterparts. */
function* markEdits(
  text: string,
  marks: readonly Mark[],
  spellings: ReadonlySet<string>,
): Generator<Edit> {
  const counts = countsOf(marks);
  const least = imbalance(counts);
  const isBetter = (removed: Mark | undefined, added: Mark | undefined) => {
    const changed = new Map(counts);
    if (removed) count(changed, removed, -1);
    if (added) count(changed, added, 1);
    return imbalance(changed) < least;
  };
  const known = [...spellings].flatMap((spelling) => {
    const [other] = findMarks(spelling);
    return other === undefined ? [] : [{ spelling, other, isMissing: isBetter(undefined, other) }];
  });
  for (const mark of marks) {
    const { start, end } = mark;
    if (isBetter(mark, undefined)) {
      if (isNextToMark(text, mark, marks)) yield { start, end, text: "" };
      for (const sign of SIGNS) yield { start, end, text: sign };
    }
    for (const { spelling, other, isMissing } of known) {
      if (isBetter(mark, other)) yield { start, end, text: spelling };
      if (!isMissing) continue;
      yield { start, end: start, text: spelling };
      yield { start: end, end, text: spelling };
    }
  }
}

/** Whether a mark is next to another one or an end of the text. Without one between two texts, they would be one value. */
function isNextToMark(text: string, { start, end }: Mark, marks: readonly Mark[]): boolean {
  const before = skipBlankBack(text, start, 0);
  const after = skipBlank(text, end);
  return before === 0 || after === text.length ||
    marks.some((other) => other.end === before || other.start === after);
}

const BRACKETS = ["{}", "[]", "()"];
const ENCLOSING = '{}[]()"';
const SIGNS = `${ENCLOSING}:,=`;

/** The brackets that aren't closed, by kind, and whether the quotation marks are odd. */
interface Balance {
  readonly open: readonly number[];
  readonly isOdd: boolean;
}

function balanceOf(text: string): Balance {
  const open = [0, 0, 0];
  let quotes = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === "\\") at++;
    else if (sign === '"') quotes++;
    else {
      const kind = BRACKETS.findIndex((pair) => pair.includes(sign));
      if (kind >= 0) open[kind]! += BRACKETS[kind]![0] === sign ? 1 : -1;
    }
  }
  return { open, isOdd: quotes % 2 === 1 };
}

/**
 * Signs of JSON that are too many, missing or others, as far as an edit makes brackets and quotation marks even. Those in
 * whole marks aren't JSON's.
 */
function* signEdits(text: string, from: number, marks: readonly Mark[]): Generator<Edit> {
  const whole = balanceOf(text.slice(from));
  const isEven = (removed: string, added: string) => {
    const [less, more] = [balanceOf(removed), balanceOf(added)];
    return whole.isOdd === (less.isOdd !== more.isOdd) &&
      whole.open.every((open, kind) => open - less.open[kind]! + more.open[kind]! === 0);
  };
  const enclosing = [...ENCLOSING].filter((sign) => isEven("", sign));
  const ends = new Map(marks.filter(({ isBroken }) => !isBroken).map(({ start, end }) => [start, end]));
  for (let at = from; at < text.length; at++) {
    at = ends.get(at) ?? at;
    const sign = text[at] ?? "";
    if (sign === "\\") {
      at++;
      continue;
    }
    if (isEven("", "")) yield* separators(text, at);
    if (sign === "" || !SIGNS.includes(sign)) continue;
    if (isEven(sign, "") && (ENCLOSING.includes(sign) || isDoubled(text, at))) {
      yield { start: at, end: at + 1, text: "" };
    }
    for (const other of SIGNS) {
      if (other !== sign && isEven(sign, other)) yield { start: at, end: at + 1, text: other };
    }
    for (const other of enclosing) {
      for (const place of new Set([at, at + 1, skipBlank(text, at + 1)])) {
        if (canBeAt(other, text, place)) yield { start: place, end: place, text: other };
      }
    }
  }
}

/** A comma, a colon or an equals sign that is lost between two values, one of which has quotation marks or brackets. */
function* separators(text: string, at: number): Generator<Edit> {
  const before = text[at - 1] ?? " ";
  const after = text[skipBlank(text, at)] ?? " ";
  const isWord = isWordCharacter(before);
  const ends = isWord || `"'}])`.includes(before);
  const begins = isWordCharacter(after) || `"'{[`.includes(after);
  const isBetween = ends && begins && !(isWord && isWordCharacter(after)) && !isWordCharacter(text[at]) ||
    (`"'}]`.includes(before) && isWordCharacter(text[at]));
  if (!isBetween) return;
  yield { start: at, end: at, text: "," };
  if (!"}])".includes(before)) yield { start: at, end: at, text: ":" };
  if (isWord) yield { start: at, end: at, text: "=" };
}

/** Whether a comma, a colon or an equals sign is next to another one, or to a bracket that it can't be next to. */
function isDoubled(text: string, at: number): boolean {
  const before = text[skipBlankBack(text, at, 0) - 1] ?? "{";
  const after = text[skipBlank(text, at + 1)] ?? "}";
  return "{[(,:=".includes(before) || "}]),:=".includes(after);
}

/** A quotation mark touches what it quotes: it opens before it, or closes after it. */
function canBeAt(sign: string, text: string, at: number): boolean {
  if (sign !== '"') return true;
  const [before, after] = [text[at - 1], text[at]];
  const isBegin = before === undefined || isBlank(before) || "{[(,:=".includes(before);
  return !isBegin || (after !== undefined && !isBlank(after));
}
