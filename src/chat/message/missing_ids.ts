/**
 * Calls and results without an id get one: servers refuse calls that have none, and prompts pair calls and results by it.
 *
 *     call a, call b, result, result  ─▶  call a: call_1, call b: call_2, result of call_1, result of call_2
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";

type Message = Readonly<Record<string, unknown>>;

/**
 * The messages, where each call has an id; calls and results are paired in their order.
 *
 * @returns the same list if no id is missing
 *
 * @example
 * ```ts
 * import { withCallIds } from "./missing_ids.ts";
 * const call = { type: "function", function: { name: "f", arguments: "{}" } };
 * const [, result] = withCallIds([{ role: "assistant", tool_calls: [call] }, { role: "tool", content: "" }]);
 * console.assert(result?.tool_call_id === "call_1");
 * ```
 */
export function withCallIds(messages: readonly Message[]): readonly Message[] {
  const answered = new Set(messages.map((message) => message.tool_call_id));
  const used = new Set([...answered, ...messages.flatMap((message) => callsOf(message).map(idOf))]);
  let count = 0;
  const newId = () => {
    do count++; while (used.has(`call_${count}`));
    return `call_${count}`;
  };
  /** The calls before a result that no result names. */
  let open: unknown[] = [];
  const whole = messages.map((message) => {
    if (message.role === "tool") {
      const id = message.tool_call_id || open.shift();
      return id === undefined || id === message.tool_call_id ? message : { ...message, tool_call_id: id };
    }
    const calls = callsOf(message);
    if (calls.length === 0) return message;
    const named = calls.map((call) => idOf(call) || !isRecord(call) ? call : { ...call, id: newId() });
    open = named.map(idOf).filter((id) => !answered.has(id));
    return named.every((call, index) => call === calls[index]) ? message : { ...message, tool_calls: named };
  });
  return whole.every((message, index) => message === messages[index]) ? messages : whole;
}

function idOf(call: unknown): unknown {
  return isRecord(call) ? call.id : undefined;
}

function callsOf({ tool_calls: calls }: Message): readonly unknown[] {
  return Array.isArray(calls) ? calls : [];
}
