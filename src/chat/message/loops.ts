/**
 * Finds calls that a conversation repeats: the same calls with the same results, one after the other, with nothing of the
 * user in between. What is found depends only on the messages up to there, so the same sentence is at the same place in
 * every later request, and the prompt's beginning stays.
 *
 *     read a.txt → "x", read a.txt → "x", read a.txt → "x", read a.txt → "x" + sentence, read a.txt → "x" …
 *
 * @module
 */
import { isJsonEqual } from "../../engine/json/equal.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";
import { matchesGlob } from "../../engine/pattern/glob.ts";
import type { Content } from "./chunk.ts";
import { contentText } from "./read.ts";

/** With this many equal results, the model gets the sentence. Agents that act by themselves do so at five. */
export const WARNED_AT = 4;

type Message = Readonly<Record<string, unknown>>;

interface Round {
  readonly calls: readonly unknown[];
  readonly results: readonly Message[];
  /** Where the last result is. */
  readonly last: number;
}

interface FoundLoops {
  /** Where the last result is after which a run of repetitions has `WARNED_AT` of them. */
  readonly warned: readonly number[];
  /** How often the calls at the end of the conversation were made in a row; 0 if it doesn't end with results. */
  readonly count: number;
}

/**
 * Finds the runs of equal calls with equal results.
 *
 * @param volatile lines of results that count as equal, with `*` for any characters
 *
 * @example
 * ```ts
 * import { findLoops } from "./loops.ts";
 * const call = { function: { name: "f", arguments: "{}" } };
 * const round = [{ role: "assistant", tool_calls: [call] }, { role: "tool", content: "x" }];
 * const { warned, count } = findLoops([...round, ...round, ...round, ...round]);
 * console.assert(count === 4 && warned.join() === "7");
 * ```
 */
export function findLoops(messages: readonly unknown[], volatile: readonly string[] = []): FoundLoops {
  const warned: number[] = [];
  let before: Round | undefined;
  let count = 0;
  for (let at = 0; at < messages.length; at++) {
    const round = roundAt(messages, at);
    if (round === undefined) {
      before = undefined;
      count = 0;
      continue;
    }
    count = before !== undefined && isSame(round, before, volatile) ? count + 1 : 1;
    if (count === WARNED_AT) warned.push(round.last);
    before = round;
    at = round.last;
  }
  return { warned, count };
}

export function withSentence(
  messages: readonly unknown[],
  { warned, sentence }: { readonly warned: readonly number[]; readonly sentence: string },
): readonly unknown[] {
  return messages.map((message, at) => {
    if (!warned.includes(at) || !isRecord(message)) return message;
    const { content } = message;
    if (Array.isArray(content)) {
      return { ...message, content: [...content, { type: "text", text: sentence }] };
    }
    return { ...message, content: `${typeof content === "string" ? content : ""}\n\n${sentence}` };
  });
}

function roundAt(messages: readonly unknown[], at: number): Round | undefined {
  const message = messages[at];
  if (!isRecord(message) || !Array.isArray(message.tool_calls) || message.tool_calls.length === 0) {
    return undefined;
  }
  const results: Message[] = [];
  for (let next = at + 1; next < messages.length; next++) {
    const result = messages[next];
    if (!isRecord(result) || result.role !== "tool") break;
    results.push(result);
  }
  return results.length === 0 ? undefined : { calls: message.tool_calls, results, last: at + results.length };
}

/** Whole results are compared first: they differ most often, and arguments have to be parsed. Their lines come last. */
function isSame(one: Round, other: Round, volatile: readonly string[]): boolean {
  if (one.calls.length !== other.calls.length || one.results.length !== other.results.length) return false;
  const everyResult = (areSame: (result: unknown, before: unknown) => boolean) =>
    one.results.every(({ content }, index) => areSame(content, other.results[index]?.content));
  const areEqual = everyResult(isEqual);
  if (!areEqual && volatile.length === 0) return false;
  return one.calls.every((call, index) => isSameCall(call, other.calls[index])) &&
    (areEqual || everyResult((result, before) => isSameResult(result, before, volatile)));
}

function isSameResult(one: unknown, other: unknown, volatile: readonly string[]): boolean {
  if (isEqual(one, other)) return true;
  const [text, before] = [contentText(one as Content), contentText(other as Content)];
  return text !== undefined && before !== undefined &&
    stableText(text, volatile) === stableText(before, volatile);
}

function stableText(text: string, volatile: readonly string[]): string {
  return text.split("\n").filter((line) => !volatile.some((glob) => matchesGlob(glob, line))).join("\n");
}

function isSameCall(one: unknown, other: unknown): boolean {
  const [left, right] = [functionOf(one), functionOf(other)];
  if (left === undefined || right === undefined || left.name !== right.name) return false;
  const { arguments: written } = left;
  const { arguments: before } = right;
  if (isEqual(written, before)) return true;
  if (typeof written !== "string" || typeof before !== "string") return false;
  const [value, earlier] = [parseJson(written), parseJson(before)];
  return value !== undefined && earlier !== undefined && isJsonEqual(value, earlier);
}

function functionOf(call: unknown): Message | undefined {
  return isRecord(call) && isRecord(call.function) ? call.function : undefined;
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === "object" && isJsonEqual(one ?? null, other ?? null));
}
