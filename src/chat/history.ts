/**
 * A conversation whose earlier calls a strict server would refuse, mended. In: the messages of a request. Out:
 * the messages with arguments that are JSON objects and results that say which call they answer, or nothing where
 * nothing had to change. No text of the conversation is lost.
 *
 * @module
 */
import { mendArguments } from "../json/arguments_mender.ts";
import { isRecord } from "../object/record.ts";

/** Under this key stands what no mending could make JSON. */
export const UNREADABLE_KEY = "unreadable_arguments";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Mends the messages.
 *
 * @param messages the messages as they came
 * @returns undefined: they are right as they are
 *
 * @example
 * ```ts
 * import { mendHistory } from "./history.ts";
 * const call = { id: "a", type: "function", function: { name: "f", arguments: '{"x": 1,}' } };
 * const [mended] = mendHistory([{ role: "assistant", tool_calls: [call] }]) ?? [];
 * console.assert(JSON.stringify(mended).includes('"{\\"x\\": 1}"'));
 * ```
 */
export function mendHistory(messages: unknown): unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  let unanswered: { readonly id: string; readonly name: unknown }[] = [];
  const mended = messages.map((message: unknown) => {
    if (!isRecord(message)) return message;
    if (Array.isArray(message.tool_calls)) {
      unanswered = message.tool_calls.flatMap((call: unknown) => isRecord(call) ? identified(call) : []);
      return mendCalls(message, message.tool_calls);
    }
    if (message.role !== "tool") return message;
    const id = typeof message.tool_call_id === "string" && message.tool_call_id !== ""
      ? message.tool_call_id
      : onlyId(unanswered, message.name);
    unanswered = unanswered.filter((call) => call.id !== id);
    return id === undefined || id === message.tool_call_id ? message : { ...message, tool_call_id: id };
  });
  return mended.every((message, index) => message === messages[index]) ? undefined : mended;
}

/** The call that a result without an id must mean: the only one left, or the only one of its name. */
function onlyId(
  unanswered: readonly { readonly id: string; readonly name: unknown }[],
  name: unknown,
): string | undefined {
  const named = typeof name === "string" ? unanswered.filter((call) => call.name === name) : unanswered;
  return named.length === 1 ? named[0]?.id : undefined;
}

function identified(call: Fields): { id: string; name: unknown }[] {
  const name = isRecord(call.function) ? call.function.name : undefined;
  return typeof call.id === "string" && call.id !== "" ? [{ id: call.id, name }] : [];
}

function mendCalls(message: Fields, calls: readonly unknown[]): Fields {
  const mended = calls.map(mendCall);
  return mended.every((call, index) => call === calls[index]) ? message : { ...message, tool_calls: mended };
}

function mendCall(call: unknown): unknown {
  if (!isRecord(call) || !isRecord(call.function)) return call;
  const given = call.function.arguments;
  const json = rightArguments(given);
  return json === given ? call : { ...call, function: { ...call.function, arguments: json } };
}

/** The arguments as the text of a JSON object; the same text where it is one. */
function rightArguments(given: unknown): string {
  if (typeof given !== "string") return isRecord(given) ? JSON.stringify(given) : wrap(given);
  if (isRecord(parse(given))) return given;
  const { json, isWhole } = mendArguments(given);
  return isWhole ? json : wrap(given);
}

function wrap(given: unknown): string {
  return given == null ? "{}" : JSON.stringify({ [UNREADABLE_KEY]: given });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
