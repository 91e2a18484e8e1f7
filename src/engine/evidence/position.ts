/**
 * The laws of position: a call isn't shown, isn't a part of a sentence, and what follows it is what can follow a call. A call
 * without marks is the answer's end and has no damage.
 *
 * @module
 */
import {
  indexWithin,
  isBlank,
  isBlankBetween,
  isDigit,
  isLetter,
  lineStart,
  skipBlank,
  skipBlankBack,
  skipSpaces,
  wordStart,
} from "./characters.ts";
import { isCallWord } from "./call_word.ts";
import type { Law } from "./law.ts";
import { findMarks, type Mark } from "./mark.ts";
import { type ReadCall, showsText } from "./reading.ts";
import { canEnd } from "../tool/schema.ts";

export interface Answer {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly calls: readonly ReadCall[];
  /** Whether the answer was cut off at its end. */
  readonly isCut: boolean;
  /** Where the last call before these ends. */
  readonly after: number;
}

/** The law that refuses the call of this index; undefined if none does. */
export function positionLaw(answer: Answer, index: number): Law | undefined {
  const call = answer.calls[index]!;
  const { text, calls } = answer;
  const next = calls.slice(index + 1).find((other) => other.start >= call.end);
  const after = text.slice(call.end, next?.start ?? text.length);
  const isLast = next === undefined;
  const ends = after.trim() === "" || isResidue(after) || isHalfCloser(after) ||
    (!isLast && [",", ";"].includes(after.trim()));
  const followed: Followed = { after, ends, isLast };
  return cutLaw(answer, call, followed) ?? shownLaw(answer, call) ??
    lineLaw(answer, { call, index, followed }) ??
    markLaw(call, followed) ?? placeLaw(answer, call, followed) ?? followLaw(answer, call, followed);
}

interface Followed {
  /** The text up to the next call, or to the end. */
  readonly after: string;
  /** Whether nothing follows but marks and whitespace. */
  readonly ends: boolean;
  readonly isLast: boolean;
}

/**
 * At the end of an answer, a call that nothing closes can be half of one. In half a mark or after an opener, it is. After a whole
 * item, the tool has what it needs; in brackets that are open, everything.
 */
function cutLaw({ text, isCut }: Answer, call: ReadCall, { after, ends, isLast }: Followed): Law | undefined {
  if (!isLast) return undefined;
  if (isCut && (call.damage >= 1 || call.closers === 0)) return "cut_off";
  const isHalf = endsInHalf(text, call.start);
  if (isHalf && call.items?.at(-1)?.isOpen) return "cut_off";
  if (!(ends || isHalf) || isClosed(text, call) || findMarks(after).some(isEnd)) return undefined;
  const isTagged = call.notation === "tagged";
  // Half the mark of another parameter is there, or the blank before it.
  const goesOn = isHalf || " \t".includes(text.at(-1)!) ||
    (isTagged && after.trim() !== "" && !isHalfCloser(after));
  const has = (name: string) => Object.hasOwn(call.arguments, name);
  const isWhole = canEnd(call.tool, has, isBetweenItems(text, call));
  return goesOn || !isWhole ? "cut_off" : undefined;
}

/** Whether the items before the end can be all: they are in the line of the name, the last has no closer, or as many marks close as open. */
function isBetweenItems(text: string, { items, start, at, argumentsEnd, words }: ReadCall): boolean {
  const item = items?.at(-1);
  if (item === undefined) return false;
  const isInLine = words.size < 2 && lineStart(text, item.start) <= at;
  if (isInLine || (item.isOpen && text.endsWith("\n"))) return true;
  const marks = findMarks(text.slice(start, argumentsEnd)).filter(({ isEmpty }) => !isEmpty);
  return marks.filter(({ isCloser }) => isCloser).length * 2 >= marks.length;
}

/** Whether an answer ends inside a mark, after an opener, after a bracket that opens, or in quotation marks that can be half of three. */
export function endsInHalf(text: string, from: number): boolean {
  const rest = text.slice(from).trimEnd();
  const last = findMarks(rest).at(-1);
  const isOpener = last?.isCloser === false && last.end === rest.length && !isEnd(last);
  // `]<]word[>`, which comes before a tag.
  const isPrefix = rest.includes("]<]", last?.end ?? 0);
  return isOpener || isPrefix || rest.endsWith('""') || "[{(".includes(rest.at(-1) ?? " ") ||
    rest.lastIndexOf("<") > rest.lastIndexOf(">");
}

/** `<|im_end|>`: the model ended the answer. */
function isEnd({ word, isBroken }: Mark): boolean {
  return !isBroken && END_WORDS.some((end) => word.includes(end));
}

/** Whether a mark or a bracket closes the arguments of a call. */
function isClosed(text: string, { closers, notation, argumentsEnd }: ReadCall): boolean {
  return closers > 0 || (notation !== "tagged" && "}])".includes(text[argumentsEnd - 1]!));
}

function shownLaw(answer: Answer, { start, argumentsEnd: end }: ReadCall): Law | undefined {
  return isIntroduced(answer.text, start) || isEnclosed(answer, { start, end }) ? "shown" : undefined;
}

const EXAMPLE_WORDS = [
  ...[
    "example",
    "e.g",
    "instance",
    "format",
    "syntax",
    "template",
    "would",
    "such as",
    "look like",
    "looks like",
  ],
  ...["like this", "documentation", "spec", "how you", "how to", "you can", "you could", "in this form"],
];

/** Whether the sentence before, which ends in a colon, announces an example. */
function isIntroduced(text: string, start: number): boolean {
  const sentence = introduction(text, start);
  return EXAMPLE_WORDS.some((word) => hasWords(sentence, word));
}

/** What announces an example, what does in a sentence about calls, and the words of such a sentence. */
const ANNOUNCING = ["for example", "for instance", "e.g"];
const DESCRIBING = ["look like", "looks like", "like this", "format is", "syntax is", "syntax for"];
const SUBJECTS = ["call", "calls", "format", "syntax"];

/**
 * Whether the sentence before certainly announces an example, so that even a whole call is one: `For example:`, `A tool call looks
 * like this:`. Not one of what the model is about to do: `Let me look at the example:`.
 */
export function announcesExample(text: string, start: number): boolean {
  const sentence = introduction(text, start);
  const has = (words: string) => hasWords(sentence, words);
  if ((has("i") || has("let")) && !has("would")) return false;
  return ANNOUNCING.some(has) || sentence.trimStart().startsWith("example") ||
    (DESCRIBING.some(has) && SUBJECTS.some(has));
}

/** The sentence before a place, if it ends in a colon, in lower case. */
function introduction(text: string, start: number): string {
  const end = skipBlankBack(text, start, Math.max(0, start - 200));
  if (!":：".includes(text[end - 1] ?? " ")) return "";
  const lead = text.slice(Math.max(0, start - 200), end);
  const paragraph = lead.lastIndexOf("\n\n") + 1;
  const sentence = Math.max(...[". ", "! ", "? "].map((sign) => lead.lastIndexOf(sign))) + 1;
  return lead.slice(Math.max(paragraph, sentence)).toLowerCase();
}

/** Whether a text has words that aren't parts of others. */
function hasWords(text: string, words: string): boolean {
  let at = text.indexOf(words);
  while (at >= 0 && (isLetter(text[at - 1]) || isLetter(text[at + words.length]))) {
    at = text.indexOf(words, at + 1);
  }
  return at >= 0;
}

/** Whether an element that isn't part of a call is open before it and closed after it. */
function isEnclosed(
  { marks }: Answer,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const open: string[] = [];
  for (const mark of marks) {
    if (mark.start >= start) break;
    if (mark.isCloser) {
      const at = open.lastIndexOf(mark.word);
      if (at >= 0) open.length = at;
    } else if (
      !mark.isEmpty && !mark.isBroken && mark.named === undefined &&
      (showsText(mark) || !isCallWord(mark.word)) && mark.word.toLowerCase() !== "think"
    ) {
      open.push(mark.word);
    }
  }
  return open.length > 0 &&
    marks.some((mark) => mark.isCloser && mark.start >= end && open.includes(mark.word));
}

/** The text before the call in its line. */
function lineLaw(
  { text, calls, after }: Answer,
  { call, index, followed: { ends } }: {
    readonly call: ReadCall;
    readonly index: number;
    readonly followed: Followed;
  },
): Law | undefined {
  const begin = lineStart(text, call.start);
  const before = calls.slice(0, index).findLast((other) => other.end <= call.start);
  let from = Math.max(begin, before?.end ?? after);
  while (from < call.start && isBlank(text[from])) from++;
  while (from < call.start && ")]},;".includes(text[from]!)) from++;
  const line = text.slice(from, call.start);
  if (isListed(line)) return "shown";
  const trimmed = line.trimEnd();
  if (trimmed.trim() === "" || trimmed.endsWith("think>")) return undefined;
  if (isLabelOfCall(trimmed) && call.notation === "envelope") return undefined;
  if (!call.isMarked && call.lead !== "label") return "sentence";
  const last = trimmed.at(-1)!;
  const isSentenceEnd = ".!?。！？：:…*)]>".includes(last) || (last >= "\u3040" && last <= "\u9fff");
  if (!isSentenceEnd && !ends) return "sentence";
  if (trimmed === line && !call.isMarked && (isLetter(last) || isDigit(last))) return "sentence";
  return "`\"'“(".includes(last) ? "shown" : undefined;
}

/** `I look it up. function_call:`: the line ends in a word of calls with its sign, which begins it or comes after a sentence. */
function isLabelOfCall(line: string): boolean {
  const word = wordStart(line, line.length - 1);
  const before = line[skipBlankBack(line, word) - 1];
  const isOwn = before === undefined || (".!?。！？".includes(before) && line[word - 1] !== ".");
  return line.endsWith(":") && isOwn && isCallWord(line.slice(word, -1));
}

/** `- `, `1. `, `| `, `> `. */
function isListed(line: string): boolean {
  const at = skipSpaces(line, 0);
  const sign = line[at] ?? " ";
  if ("|>".includes(sign)) return true;
  if ("-*+".includes(sign)) return isBlank(line[at + 1]);
  let end = at;
  while (isDigit(line[end])) end++;
  return end > at && end - at <= 3 && ".)".includes(line[end] ?? " ") && isBlank(line[end + 1]);
}

/** What the marks at the end of a turn are called. */
const END_WORDS = ["im", "eot", "eom", "eos", "end"];
const RESULT_WORDS = ["result", "response", "output", "observation", "think", ...END_WORDS];

/** No mark and no bracket of the call is left after it. */
function markLaw(call: ReadCall, { after, ends, isLast }: Followed): Law | undefined {
  const text = after.trimStart();
  const marks = findMarks(after);
  const [first] = marks;
  if (!ends && isLast && first !== undefined && isBlankBetween(after, 0, first.start)) {
    const word = first.word.toLowerCase();
    if (!RESULT_WORDS.some((known) => word.includes(known))) return "mark_left";
  }
  if (!ends && marks.some((mark) => mark.isCloser && call.words.has(mark.word))) return "mark_left";
  const line = text.split("\n", 1)[0]!.slice(0, 200);
  const brace = line.indexOf("}");
  const isBraceLeft = brace > 0 && !line.slice(0, brace).includes("{") &&
    `"”`.includes(line.slice(0, brace).trimEnd().at(-1) ?? " ");
  return isBraceLeft && call.notation !== "tagged" ? "mark_left" : undefined;
}

/** Whether an answer is nothing but calls, each on a line of its own, after its thoughts. */
function isOnlyCalls({ text, calls }: Answer): boolean {
  let at = text.lastIndexOf("</think>", calls[0]?.start);
  at = at < 0 ? 0 : at + "</think>".length;
  for (const { start, end, damage } of calls) {
    if (damage >= 1 || start < at || !isBlankBetween(text, at, start)) return false;
    if (at > 0 && !text.slice(at, start).includes("\n")) return false;
    at = end;
  }
  return calls.length > 1 && isBlankBetween(text, at, text.length);
}

/** A call without marks has no damage and is a paragraph of its own. */
function placeLaw(answer: Answer, call: ReadCall, { ends }: Followed): Law | undefined {
  const { text } = answer;
  const { isMarked, lead, damage, notation, start } = call;
  if (lead === "line" && notation === "keywords" && isOnlyCalls(answer)) return undefined;
  if (!isMarked) {
    if (lead === "json" ? damage >= 1 : lead !== "label" && notation === "object" && damage >= 0.3) {
      return "damage";
    }
    if (
      (lead === "line" || lead === "label") && notation === "keywords" && !(ends && isLabeled(text, start))
    ) return "shown";
  }
  const begin = lineStart(text, start);
  if (lead === "line" && !isParagraph(text, begin)) return "sentence";
  if (
    (lead === "line" || lead === "label") && start > begin && isBlankBetween(text, begin, start) &&
    text.slice(0, begin).trim() !== ""
  ) return "shown";
  // A mark around a bracket closes it.
  const isClosed = lead === "bracket" && call.words.size > 0 && text[call.end - 1] === ">";
  return (lead === "bracket" || lead === "label") && !ends && !isClosed ? "text_follows" : undefined;
}

/** `call:`, `Action: `: a label that states a call, before its name or as the paragraph before. */
function isLabeled(text: string, start: number): boolean {
  const end = indexWithin(text, ":", start, LABEL_MAXIMUM);
  if (isLabel(text.slice(start, Math.max(start, end)))) return true;
  const last = skipBlankBack(text, start);
  const line = lineStart(text, last);
  return last - line <= LABEL_MAXIMUM && isParagraph(text, line) &&
    isLabel(text.slice(line, text[last - 1] === ":" ? last - 1 : last));
}

function isLabel(text: string): boolean {
  const label = text.replaceAll("*", "").trim();
  return label !== "" && [...label].every((sign) => isLetter(sign) || sign === " ") && isCallWord(label);
}

const LABEL_MAXIMUM = 24;

/** Whether a line begins the text, or a blank line or a mark comes before it. */
function isParagraph(text: string, begin: number): boolean {
  const end = skipBlankBack(text, begin);
  if (end === 0 || text[end - 1] === ">") return true;
  return text.slice(end, begin).split("\n").length > 2;
}

/** What may follow a call that isn't at the end. */
function followLaw({ text }: Answer, call: ReadCall, { after, ends, isLast }: Followed): Law | undefined {
  if (ends) return undefined;
  const sign = text[skipSpaces(text, call.end)];
  const isSentence = sign !== undefined && ((sign >= "a" && sign <= "z") || ",;).`".includes(sign));
  const first = after[skipBlank(after, 0)]!;
  if (isSentence || (first >= "a" && first <= "z")) return "sentence";
  const isOnNewLine = sign === "\n" || sign === "\r";
  if (!call.isMarked) {
    const isParagraphAfter = call.notation === "envelope" &&
      after.slice(0, skipBlank(after, 0)).split("\n").length > 2;
    return isLast || !isParagraphAfter ? "text_follows" : undefined;
  }
  if (call.closers === 0 && !(call.damage < 1 && isOnNewLine)) return "text_follows";
  const isClosed = text[call.end - 1] === "\n" || text[call.end - 1] === ">";
  return isLast && !isOnNewLine && !isClosed ? "text_follows" : undefined;
}

/** The most closers of a text for which it is looked up whether they are shown. */
const CLOSERS_MAXIMUM = 8;

interface After {
  readonly from: number;
  readonly isShown: (start: number, end: number) => boolean;
}

/**
 * Whether a text after a place closes a call that nothing in it opens: the beginning of that call is lost. Closers right at the
 * place belong to what is before it, and a mark within a line is a mention.
 */
export function closesLostCall(text: string, { from, isShown }: After): boolean {
  const rest = text.slice(from);
  const open = new Map<string, number>();
  let [closed, count] = [0, 0];
  for (const mark of findMarks(rest)) {
    const { start, end, isCloser, isEmpty, word } = mark;
    if (isCloser && isBlankBetween(rest, closed, start)) closed = end;
    else if (!isEmpty && isCallWord(word)) {
      const level = (open.get(word) ?? 0) + (isCloser ? -1 : 1);
      if (level >= 0) open.set(word, level);
      else if (!isMention(rest, mark) && !isInProse(rest, end)) {
        if (++count > CLOSERS_MAXIMUM) return false;
        if (!isShown(from + start, from + end)) return true;
      }
    }
  }
  return false;
}

/** Whether a mark is only mentioned: in its line, it comes after a blank, a quotation mark or a bracket, or ends a clause. */
export function isMention(text: string, { start, end }: Pick<Mark, "start" | "end">): boolean {
  if (".,;:!?".includes(text[end] ?? " ")) return true;
  const last = skipBlankBack(text, start, 0);
  if (last === start) return "`'\"([{".includes(text[start - 1] ?? " ") && !text.startsWith("```", start - 3);
  return last > 0 && !text.slice(last, start).includes("\n");
}

/** Whether a sentence goes on after a mark in its line. */
function isInProse(text: string, end: number): boolean {
  const at = skipSpaces(text, end);
  return at > end && at < text.length && !"\r\n<[]".includes(text[at]!);
}

/** Whether a text closes a call, and doesn't only mention how one is closed. */
export function closesCall(text: string): boolean {
  return findMarks(text).some((mark) =>
    mark.isCloser && isCallWord(mark.word) && !isMention(text, mark) && !isInProse(text, mark.end)
  );
}

/** `tool>`: the rest of a closer that lost its beginning. It is the call's, and leaves with it. */
export function isHalfCloser(text: string): boolean {
  return text.trimEnd().endsWith(">") && areCallWords(text);
}

/** Only marks and brackets. */
function isResidue(text: string): boolean {
  let at = 0;
  for (const mark of findMarks(text)) {
    if (!isBlankBetween(text, at, mark.start)) return false;
    if (mark.isBroken && !mark.isCloser && !END_WORDS.some((word) => mark.word.includes(word))) {
      return false;
    }
    at = mark.end;
  }
  if (at > 0) return isBlankBetween(text, at, text.length);
  return [...text].every((sign) => isBlank(sign) || "])}`".includes(sign));
}

/** Whether a text is nothing but marks, and words and signs that belong to a call: `<|tool_call>call:`. */
export function isRestOfCall(text: string): boolean {
  let at = 0;
  for (const mark of findMarks(text)) {
    const isPart = mark.isSpecial || isCallWord(mark.word);
    if (!isPart || !areCallWords(text.slice(at, mark.start))) return false;
    at = mark.end;
  }
  return at > 0 && areCallWords(text.slice(at));
}

function areCallWords(text: string): boolean {
  const words = text.replaceAll(":", " ").replaceAll(">", " ").replaceAll("\n", " ").split(" ");
  return words.every((word) =>
    word === "" || (isCallWord(word) && ![...'()"='].some((sign) => word.includes(sign)))
  );
}
