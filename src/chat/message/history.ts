/**
 * Repairs the earlier calls of a conversation, which a strict server would refuse: arguments become JSON objects, and
 * results get the id of their call. No text of the conversation is lost.
 *
 * @module
 */
import { repairArguments } from "../../engine/json/arguments_repairer.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

/** The key of arguments that can't be repaired into a JSON object. */
export const UNREADABLE_KEY = "unreadable_arguments";

type Fields = Readonly<Record<string, unknown>>;

/** A call that a result can refer to. */
interface IdentifiedCall {
  readonly id: string;
  readonly name: unknown;
}

/**
 * Repairs the messages of a request.
 *
 * @param messages the request's `messages`
 * @returns the repaired messages; undefined if nothing changes
 *
 * @example
 * ```ts
 * import { repairHistory } from "./history.ts";
 * const call = { id: "a", type: "function", function: { name: "f", arguments: '{"x": 1,}' } };
 * const [repaired] = repairHistory([{ role: "assistant", tool_calls: [call] }]) ?? [];
 * console.assert(JSON.stringify(repaired).includes('"{\\"x\\": 1}"'));
 * ```
 */
export function repairHistory(messages: unknown): unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  let unanswered: IdentifiedCall[] = [];
  const repaired = messages.map((message: unknown) => {
    if (!isRecord(message)) return message;
    if (Array.isArray(message.tool_calls)) {
      unanswered = message.tool_calls.flatMap((call: unknown) => isRecord(call) ? identify(call) : []);
      return repairCalls(message, message.tool_calls);
    }
    if (message.role !== "tool") return message;
    const id = typeof message.tool_call_id === "string" && message.tool_call_id !== ""
      ? message.tool_call_id
      : onlyId(unanswered, message.name);
    unanswered = unanswered.filter((call) => call.id !== id);
    return id === undefined || id === message.tool_call_id ? message : { ...message, tool_call_id: id };
  });
  return repaired.every((message, index) => message === messages[index]) ? undefined : repaired;
}

/** The id of the only call that a result without an id can answer: the last one left, or the only one with its name. */
function onlyId(unanswered: readonly IdentifiedCall[], name: unknown): string | undefined {
  const named = typeof name === "string" ? unanswered.filter((call) => call.name === name) : unanswered;
  return named.length === 1 ? named[0]?.id : undefined;
}

function identify(call: Fields): IdentifiedCall[] {
  const name = isRecord(call.function) ? call.function.name : undefined;
  return typeof call.id === "string" && call.id !== "" ? [{ id: call.id, name }] : [];
}

function repairCalls(message: Fields, calls: readonly unknown[]): Fields {
  const repaired = calls.map(repairCall);
  return repaired.every((call, index) => call === calls[index])
    ? message
    : { ...message, tool_calls: repaired };
}

function repairCall(call: unknown): unknown {
  if (!isRecord(call) || !isRecord(call.function)) return call;
  const original = call.function.arguments;
  const json = argumentsText(original);
  return json === original ? call : { ...call, function: { ...call.function, arguments: json } };
}

/** The arguments as the text of a JSON object; the same text if it's already one. */
export function argumentsText(original: unknown): string {
  if (typeof original !== "string") return isRecord(original) ? JSON.stringify(original) : wrap(original);
  if (isRecord(parseJson(original))) return original;
  const { json, isWhole } = repairArguments(original);
  return isWhole ? json : wrap(original);
}

function wrap(original: unknown): string {
  return original == null ? "{}" : JSON.stringify({ [UNREADABLE_KEY]: original });
}
