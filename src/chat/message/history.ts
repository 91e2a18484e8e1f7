/**
 * Repairs the earlier calls of a conversation. Some a strict server would refuse: arguments become JSON objects, and results
 * get the id of their call. Others the model would copy: a call that it printed as text becomes the call that its results
 * answer, or leaves the text if no one made it. No other text of the conversation is lost.
 *
 * @module
 */
import { repairArguments } from "../../engine/json/arguments_repairer.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { isRecord } from "../../engine/object/record.ts";

/** The key of arguments that can't be repaired into a JSON object. */
export const UNREADABLE_KEY = "unreadable_arguments";

type Fields = Readonly<Record<string, unknown>>;

interface IdentifiedCall {
  readonly id: string;
  readonly name: unknown;
}

/** What is in a text: calls that the model printed, and everything else. */
export interface PrintedCalls {
  /** The text without the calls. */
  readonly text: string;
  /** The calls: the names of their tools, and their arguments as JSON. */
  readonly calls: readonly { readonly name: string; readonly json: string }[];
}

/** Reads the printed calls of a text; undefined if it has none. */
export type ReadPrintedCalls = (text: string) => PrintedCalls | undefined;

/**
 * Repairs the messages of a request.
 *
 * @param readPrinted reads printed calls; by default, they stay
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
export function repairHistory(given: unknown, readPrinted?: ReadPrintedCalls): unknown[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const messages = readPrinted === undefined ? given : withoutPrinted(given, readPrinted);
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
  const isSame = repaired.length === given.length &&
    repaired.every((message, index) => message === given[index]);
  return isSame ? undefined : repaired;
}

/** The messages without calls that the model printed; the last one may be an answer that it has to continue. */
function withoutPrinted(messages: readonly unknown[], readPrinted: ReadPrintedCalls): unknown[] {
  const known = new Set<unknown>();
  const left: unknown[] = [];
  messages.forEach((message, at) => {
    if (!isRecord(message) || message.role !== "assistant") return void left.push(message);
    const own = Array.isArray(message.tool_calls) ? message.tool_calls : [];
    for (const call of own) if (isRecord(call)) known.add(call.id);
    const { content } = message;
    const printed = typeof content === "string" && at < messages.length - 1
      ? readPrinted(content)
      : undefined;
    if (printed === undefined) return void left.push(message);
    const { text, calls } = printed;
    const rest = { ...message, content: text };
    if (own.length > 0) return void left.push(rest);
    const ids = resultIds(messages.slice(at + 1)).filter((id) => !known.has(id));
    if (ids.length === calls.length) {
      const made = calls.map(({ name, json }, index) => {
        known.add(ids[index]);
        return { id: ids[index], type: "function", function: { name, arguments: json } };
      });
      left.push({ ...rest, tool_calls: made });
    } else if (text.trim() !== "") left.push(rest);
  });
  return left;
}

/** The ids of the results at the beginning of the messages. */
function resultIds(messages: readonly unknown[]): string[] {
  const end = messages.findIndex((message) => !isRecord(message) || message.role !== "tool");
  return messages.slice(0, end < 0 ? messages.length : end).flatMap((message) =>
    isRecord(message) && typeof message.tool_call_id === "string" && message.tool_call_id !== ""
      ? [message.tool_call_id]
      : []
  );
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
