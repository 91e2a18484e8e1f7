/** Gives a conversation's call ids the form that a template demands, always alike. The client keeps its own ids. @module */
import { isRecord } from "../../engine/object/record.ts";
import type { Message } from "./messages.ts";
import type { IdForm } from "./refused_forms.ts";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const NINE = /^[a-zA-Z0-9]{9}$/;

/**
 * Renames the ids of calls and results.
 *
 * @returns the same list if no id changes
 *
 * @example
 * ```ts
 * import { renameIds } from "./ids.ts";
 * const call = { id: "a", type: "function", function: { name: "f", arguments: "{}" } };
 * const messages = [{ role: "assistant", tool_calls: [call] }, { role: "tool", tool_call_id: "a", content: "" }];
 * const [, result] = renameIds(messages, "numbered_functions") as { tool_call_id?: string }[];
 * console.assert(result?.tool_call_id === "functions.f:0");
 * ```
 */
export function renameIds(messages: readonly unknown[], form: IdForm): readonly unknown[] {
  const names = new Map<unknown, string>();
  let count = 0;
  const rename = (call: unknown): unknown => {
    if (!isRecord(call)) return call;
    const name = isRecord(call.function) ? call.function.name : undefined;
    const tool = typeof name === "string" ? name : "";
    const number = count++;
    const id = form === "nine_letters"
      ? nineLetters(typeof call.id === "string" ? call.id : `${tool}:${number}`)
      : `functions.${tool}:${number}`;
    names.set(call.id, id);
    return id === call.id ? call : { ...call, id };
  };
  const renamed = messages.map((message): unknown => {
    if (!isRecord(message)) return message;
    if (message.role === "tool") {
      const { tool_call_id: given } = message;
      const orphan = form === "nine_letters" && typeof given === "string" ? nineLetters(given) : given;
      const id = names.get(given) ?? orphan;
      return id === given ? message : { ...message, tool_call_id: id };
    }
    return withCalls(message, rename);
  });
  return renamed.every((message, index) => message === messages[index]) ? messages : renamed;
}

function withCalls(message: Message, rename: (call: unknown) => unknown): Message {
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return message;
  const renamed = calls.map(rename);
  return renamed.every((call, index) => call === calls[index])
    ? message
    : { ...message, tool_calls: renamed };
}

/** Nine letters or digits that depend on the id alone; an id that has this form stays. */
function nineLetters(id: string): string {
  if (NINE.test(id)) return id;
  // FNV-1a with 64 bits.
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(id)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  let letters = "";
  for (; letters.length < 9; hash /= 62n) letters += LETTERS[Number(hash % 62n)];
  return letters;
}
