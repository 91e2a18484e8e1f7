/**
 * Finds the places of calls in an answer that a model gave: which calls these are is unknown, but the names of the
 * offered tools and of their parameters are known.
 *
 * @module
 */
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { itemCalls } from "./answer_items.ts";
import { HEAD_LENGTH_MAX, keywordCalls, objectCalls } from "./answer_objects.ts";
import { type KnownTool, knownTools } from "./known_tool.ts";
import { marksAfter, marksBefore } from "./mark_token.ts";
import type { MarkedCall, MarkedText, Span } from "./sample.ts";

/**
 * The answer, cut to the part with the calls and their marks; undefined where no call is seen.
 *
 * @param text the answer
 * @param tools the tools that were offered
 */
export function markAnswer(text: string, tools: readonly OfferedTool[]): MarkedText | undefined {
  const known = knownTools(tools);
  const calls = valueCalls(text, known) ?? itemCalls(text, known);
  return calls === undefined || calls.length === 0 ? undefined : cutOut(text, calls);
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

/** Where the marks before a call begin; what ends the model's reasoning is not one of them. */
function headStart(text: string, at: number): number {
  const from = Math.max(0, at - HEAD_LENGTH_MAX);
  const head = text.slice(from, at);
  const thought = [...head.matchAll(REASONING_END)].at(-1);
  const cut = thought === undefined ? 0 : thought.index + thought[0].length;
  return from + cut + marksBefore(head.slice(cut));
}

/** Tags that end a model's reasoning. */
const REASONING_END = /<\/\|?(?:\w+:)?(?:think|thinking|thought|reasoning)\|?>|\[\/THINK\]/gi;

/** Where the marks after a call end. */
function tailEnd(text: string, at: number): number {
  return at + marksAfter(text.slice(at, at + HEAD_LENGTH_MAX));
}
