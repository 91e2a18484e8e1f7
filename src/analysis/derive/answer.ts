/**
 * Finds the places of calls in an answer that a model gave: which calls these are is unknown, but the names of the
 * offered tools and of their parameters are known.
 *
 * @module
 */
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { taggedCalls } from "./answer_evidence.ts";
import { itemCalls } from "./answer_items.ts";
import { endsCall, leadOf } from "./end_line.ts";
import { HEAD_LENGTH_MAX, keywordCalls, objectCalls } from "./answer_objects.ts";
import { type KnownTool, knownTools } from "./known_tool.ts";
import { marksAfter, marksBefore, tagInWord } from "./mark_token.ts";
import type { MarkedCall, MarkedText, Span } from "./sample.ts";

/**
 * The answer, cut to the part with the calls and their marks; undefined where no call is seen.
 *
 * @param text the answer
 * @param tools the tools that were offered
 */
export function markAnswer(text: string, tools: readonly OfferedTool[]): MarkedText | undefined {
  const known = knownTools(tools);
  const calls = taggedCalls(text, tools) ?? valueCalls(text, known) ?? itemCalls(text, known);
  return calls === undefined || calls.length === 0
    ? undefined
    : { ...cutOut(text, calls), tools, answer: text };
}

/** Calls whose arguments are JSON, or calls in Python, which can hold JSON. */
function valueCalls(text: string, known: readonly KnownTool[]): MarkedCall[] | undefined {
  const objects = objectCalls(text, known);
  const python = keywordCalls(text, known);
  const isInPython = ({ object: inner }: MarkedCall) =>
    python?.some(({ object }) => object!.start < inner!.start && inner!.end <= object!.end) ?? false;
  return objects === undefined || objects.every(isInPython) ? python : objects;
}

/** The calls with the marks around them; prose before and after is left out. */
function cutOut(text: string, calls: readonly MarkedCall[]): MarkedText {
  const first = calls[0]!;
  const last = calls.at(-1)!;
  const isOpened = /^["']?\s*[({]/.test(text.slice(first.name.end, first.name.end + 16));
  const start = headStart(text, Math.min(first.name.start, first.object?.start ?? Infinity), isOpened);
  const lead = text.slice(start, first.name.start).trim().split(/\s+/)[0]!;
  const named = { lead: leadOf(text, first.name.start), name: text.slice(first.name.start, first.name.end) };
  const end = tailEnd(text, { at: endOf(last), lead, named });
  const moved = ({ start: a, end: b }: Span) => ({ start: a - start, end: b - start });
  return {
    text: text.slice(start, end),
    ids: [],
    calls: calls.map(({ name, object, items }) => ({
      name: moved(name),
      ...(object === undefined ? {} : { object: { ...object, ...moved(object) } }),
      items: items.map(({ key, value, marks }) => ({
        key: moved(key),
        value: moved(value),
        ...(marks === undefined ? {} : { marks: { ...marks, ...moved(marks) } }),
      })),
    })),
  };
}

function endOf({ name, object, items }: MarkedCall): number {
  const last = items.at(-1);
  return Math.max(name.end, object?.end ?? 0, last?.marks?.end ?? last?.value.end ?? 0);
}

/** Where the marks before a call begin; what ends the model's reasoning is not one of them. */
function headStart(text: string, at: number, isOpened: boolean): number {
  const from = Math.max(0, at - HEAD_LENGTH_MAX);
  const head = text.slice(from, at);
  const thought = [...head.matchAll(REASONING_END)].at(-1);
  const cut = thought === undefined ? 0 : thought.index + thought[0].length;
  const own = head.slice(cut);
  const run = /(?:(?<=^|\s)[([{]+(?:%[^\S\n]*)?\p{L}[\p{L}\p{N}_-]*[^\S\n]+)?\S*$/u.exec(own)!;
  // A tag directly after a sentence begins the marks.
  const start = Math.min(marksBefore(own), run.index + (tagInWord(run[0]) ?? 0));
  const line = own.lastIndexOf("\n", start - 1) + 1;
  const isLabel = SIGNED.test(own.slice(line)) ||
    (start > line && OPERATOR.test(own.slice(start)) && WORDS.test(own.slice(line, start))) ||
    KEYWORD.test(own.slice(line)) || (isOpened && LEAD.test(own.slice(line)));
  const block = BLOCK.exec(own)?.index;
  return from + cut + withMarkLine(own, block ?? (isLabel ? line : start));
}

/** The line directly before the marks belongs to them if it begins with a sign and has no sentence. */
function withMarkLine(head: string, start: number): number {
  const before = head.slice(0, start);
  const line = MARK_LINE.exec(before);
  return line === null ? start : start - line[0].length + (line[0].startsWith("\n") ? 1 : 0);
}

/** `+++call`, `TOOL CALL`: a sign that begins no item of a list and at most three words, or words in capitals. */
const MARK_LINE =
  /(?:^|\n)[^\S\n]*(?:[A-Z]{3,16}(?:[_ ][A-Z]{2,16}){0,2}|(?:[^\s\p{L}\p{N}"'`|]{2,}|[^\s\p{L}\p{N}"'`|#*+>.-])(?:[^\s.,;!?]+[^\S\n]*){0,3})\n[^\S\n]*$/u;

/** Tags that end a model's reasoning. */
const REASONING_END = /<\/\|?(?:\w+:)?(?:think|thinking|thought|reasoning)\|?>|\[\/THINK\]/gi;

/** A sign without a word, which needs the word before it to be a mark: `Action => write_file`, `CALL /write_file`. */
const OPERATOR = /^[^\s\p{L}\p{N}<[⟦«‹【]+\s*$/u;

/** A line that begins with signs and has at most three words before the name: `-- BEGIN TOOL `, `<!-- tool: `. */
const SIGNED =
  /^[^\S\n]*(?:[^\s\p{L}\p{N}"'`|(){}]{2,8}|[^\s\p{L}\p{N}"'`|(){}#*+>.-])[^\S\n]?(?:[^\s.,;:!?]+:?[^\S\n]+){1,3}["']?$/u;

/** Words in capitals, or a word of two parts, that begin the name's line: `TOOL write_file`, `begin_tool write_file`. */
const KEYWORD =
  /^(?:[#*=-]{1,6}[^\S\n]+)?(?:[A-Z]{3,16}(?:[_ ][A-Z]{2,16}){0,2}:?|[a-z]{2,12}_[a-z]{2,12})[^\S\n]+$/;

/** A word that begins the line of a name before a bracket: `call write_file {`, `tool "write_file" {`, `call! write_file(`. */
const LEAD = /^[\p{L}_]{2,16}!?[^\S\n]+(?:["']|[\p{L}_.]+\.)?$/u;

/** A label before a quoted name, and perhaps the line that opens its block. */
const BLOCK =
  /(?<=^|\n)(?:[\p{L}\p{N}_#@!.]{1,16}[^\S\n]*\{[^\S\n]*\n)?[^\S\n]*[\p{L}_]{2,16}[^\S\n]*[:=][^\S\n]*["']$/u;

/** A line that ends a call with a word: `End.`, `END write_file`. */
const END_LINE = /^\s*\n[^\S\n]*end(?![a-z])[^\n]{0,64}(?=\n|$)/i;

/** The next line, if it isn't empty. */
const NEXT_LINE = /^[^\S\n]*\n[^\S\n]*(?=(\S[^\n]*))/;

/** What can precede a keyword where it ends a call: `END TOOL`. */
const END_WORD = /^END[ _]/;

/** What ends a call after its closer, on the same line: `) END`, `};;`. */
const ENDS_LINE = /^(?:[^\S\n]*(?:END|DONE|STOP)[A-Z_]{0,12}|([;!])\1{1,3})[^\S\n]*(?=\n|$)/;

/** A word in capitals that ends the line of a call which one begins: `USE read_file WITH path="a" NOW`. */
const CAPITALS = /^[^\S\n]+[A-Z]{2,12}[^\S\n]*(?=\n|$)/;

/** At most three words without a sentence's signs. */
const WORDS = /^[^\S\n]*(?:[^\s.,;:!?]+[^\S\n]*){1,3}$/;

/** Where the marks after a call end. A line that begins with a sign, or with the call's first mark, is a mark as a whole. */
function tailEnd(
  text: string,
  { at, lead, named }: { at: number; lead: string; named: Parameters<typeof endsCall>[1] },
): number {
  const tail = text.slice(at, at + HEAD_LENGTH_MAX);
  let end = marksAfter(tail);
  const space = /^\s*/.exec(tail.slice(end))![0].length + end;
  const next = space + (END_WORD.exec(tail.slice(space))?.[0].length ?? 0);
  if (
    lead !== "" && /\p{L}/u.test(lead) && tail.startsWith(lead, next) &&
    /^\s*\n|^$/.test(tail.slice(end, space) || "\n")
  ) {
    end = next + /^\S*/.exec(tail.slice(next))![0].length;
  }
  if (end === 0 || tail.slice(0, end).trim() === "") {
    const before = /\n$/.test(text.slice(0, at)) ? "\n" : "";
    end = Math.max(end, (END_LINE.exec(before + tail)?.[0].length ?? 0) - before.length);
    const next = NEXT_LINE.exec(before + tail);
    if (next !== null && endsCall((before + tail).slice(next[0].length), named)) {
      end = Math.max(end, next[0].length + next[1]!.trimEnd().length - before.length);
    }
  }
  const rest = /^[^\n]*/.exec(tail.slice(end))![0];
  const line = tail.slice(tail.lastIndexOf("\n", end - 1) + 1, end).trim();
  const isQuoted = end === 0 && /["']$/.test(text.slice(0, at));
  const word = ENDS_LINE.exec(rest)?.[0] ??
    (isQuoted && /^[A-Z]{2,}$/.test(lead) ? CAPITALS.exec(tail)?.[0] : undefined);
  if (word !== undefined && (isQuoted || end > 0 && line !== "")) return at + end + word.trimEnd().length;
  // The mark of each line closes nothing without its words: `[AGENT] end`.
  if (line === lead && /^(?:[^\S\n]+[^\s.,;:!?]+){1,2}[^\S\n]*$/.test(rest)) {
    return at + end + rest.trimEnd().length;
  }
  const isOpen = line !== "" && end > 0 && !/[>\])}"'|;⟧»›】]$/.test(line);
  // `:: end ::` has its sign on both sides.
  const words = isOpen && rest.trimEnd().endsWith(line) ? rest.trimEnd().slice(0, -line.length) : rest;
  return at + (isOpen && WORDS.test(words) ? end + rest.trimEnd().length : end);
}
