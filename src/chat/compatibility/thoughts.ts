/**
 * Puts the model's thoughts back into the messages of a conversation, in the field that the server reads: from another
 * field, if the client renamed it, or from what was remembered of the answer.
 *
 *     {tool_calls: [a], reasoning: "so"}  ─▶  {tool_calls: [a], reasoning_content: "so"}
 *     {tool_calls: [a]}                   ─▶  {tool_calls: [a], reasoning_content: "remembered"}
 *
 * @module
 */
import { isRecord } from "../../engine/object/record.ts";
import { asText } from "../../engine/object/text.ts";

/** The fields in which clients send thoughts back. */
const FIELDS = ["reasoning_content", "reasoning", "reasoning_text", "thinking"] as const;

type Message = Readonly<Record<string, unknown>>;

export interface ThoughtRules {
  /** The field that the server reads. */
  readonly field: string;
  /** Id of a call → the thoughts before it. */
  readonly known: ReadonlyMap<string, string>;
}

export interface FirstCall {
  readonly id: string;
  readonly tool: string;
  /** Its arguments as JSON. */
  readonly json: string;
}

/** The first calls of messages that lack their thoughts. An id that comes twice names no message. */
export function callsWithoutThoughts(messages: readonly unknown[]): readonly FirstCall[] {
  const times = new Map<string, number>();
  const calls = messages.flatMap((message) => {
    const call = isRecord(message) ? firstCall(message) : undefined;
    if (call === undefined) return [];
    times.set(call.id, (times.get(call.id) ?? 0) + 1);
    return isRecord(message) && thoughtsOf(message) === undefined ? [call] : [];
  });
  return calls.filter(({ id }) => times.get(id) === 1);
}

/**
 * Puts thoughts back; unchanged messages stay the same objects.
 *
 * @example
 * ```ts
 * import { withThoughts } from "./thoughts.ts";
 * const messages = [{ role: "assistant", tool_calls: [{ id: "a" }] }];
 * const known = new Map([["a", "so"]]);
 * const [message] = withThoughts(messages, { field: "reasoning", known });
 * console.assert(JSON.stringify(message).endsWith('"reasoning":"so"}'));
 * ```
 */
export function withThoughts(
  messages: readonly unknown[],
  { field, known }: ThoughtRules,
): readonly unknown[] {
  return messages.map((message) => {
    if (!isRecord(message) || message.role !== "assistant" || isText(message[field])) return message;
    const sent = thoughtsOf(message);
    const thoughts = sent?.text ?? known.get(firstCall(message)?.id ?? "");
    if (thoughts === undefined) return message;
    const kept = Object.entries(message).filter(([name]) => name !== sent?.field && name !== field);
    return { ...Object.fromEntries(kept), [field]: thoughts };
  });
}

function thoughtsOf(message: Message): { readonly field: string; readonly text: string } | undefined {
  for (const field of FIELDS) {
    const text = message[field];
    if (isText(text)) return { field, text };
  }
  return undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function firstCall({ role, tool_calls: calls }: Message): FirstCall | undefined {
  const [call] = role === "assistant" && Array.isArray(calls) ? calls : [];
  if (!isRecord(call) || !isText(call.id) || !isRecord(call.function)) return undefined;
  const { name, arguments: json } = call.function;
  return {
    id: call.id,
    tool: typeof name === "string" ? name : "",
    json: asText(json ?? {}),
  };
}
