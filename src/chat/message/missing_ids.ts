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
  const lacksId = messages.some((message) =>
    message.role === "tool" ? !isId(message.tool_call_id) : callsOf(message).some(({ id }) => !isId(id))
  );
  if (!lacksId) return messages;
  const used = new Set(messages.flatMap((message) => callsOf(message).map(({ id }) => id)));
  let count = 0;
  const newId = () => {
    do count++; while (used.has(`call_${count}`));
    return `call_${count}`;
  };
  const whole: Message[] = [];
  for (let at = 0; at < messages.length;) {
    const message = messages[at++]!;
    if (callsOf(message).length === 0) {
      whole.push(message);
      continue;
    }
    const next = messages.findIndex(({ role }, index) => index >= at && role !== "tool");
    const results = messages.slice(at, next < 0 ? messages.length : next);
    at += results.length;
    whole.push(...withIds(message, { results, newId }));
  }
  return whole.every((message, index) => message === messages[index]) ? messages : whole;
}

/** A message with calls, and its results. */
function withIds(
  message: Message,
  { results, newId }: { readonly results: readonly Message[]; readonly newId: () => string },
): readonly Message[] {
  const calls = callsOf(message);
  const [called, answered] = [calls.map(({ id }) => id), results.map(({ tool_call_id: id }) => id)];
  const open = calls.filter(({ id }) => !isId(id) || !answered.includes(id));
  const loose = results.filter(({ tool_call_id: id }) => !isId(id) || !called.includes(id));
  const ids = new Map<unknown, string>();
  for (const [index, call] of open.entries()) {
    const result = loose[index];
    const id = [call.id, result?.tool_call_id].find(isId) ?? newId();
    if (!isId(call.id)) ids.set(call, id);
    if (result !== undefined && !isId(result.tool_call_id)) ids.set(result, id);
  }
  const listed: readonly unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const named = listed.map((call) => ids.has(call) ? { ...call as Message, id: ids.get(call) } : call);
  return [
    named.every((call, index) => call === listed[index]) ? message : { ...message, tool_calls: named },
    ...results.map((result) => ids.has(result) ? { ...result, tool_call_id: ids.get(result) } : result),
  ];
}

function isId(id: unknown): id is string {
  return typeof id === "string" && id !== "";
}

function callsOf({ tool_calls: calls }: Message): readonly Message[] {
  return Array.isArray(calls) ? calls.filter(isRecord) : [];
}
