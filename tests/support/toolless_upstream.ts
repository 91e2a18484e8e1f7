/**
 * A chat server that knows nothing of tools, as a strict one answers: a request with `tools`, or a message that isn't the
 * system's, the user's or the assistant's in turn, is an error. It prints a dialect's text once the prompt names the tool.
 *
 * @module
 */
import type { Arrived, Script } from "./scripted_upstream.ts";

/** A message as the server gets it. */
export interface PlainMessage {
  readonly role: string;
  readonly content: string;
}

/** What the model prints for a conversation. */
export type Speech = (messages: readonly PlainMessage[]) => string;

/** What the server answers. */
export function toolless(speech: Speech): (request: Arrived) => Script {
  return (request) =>
    request.path.endsWith("/chat/completions")
      ? refusalOf(request) ?? { text: speech(messagesOf(request)) }
      : { text: "" };
}

export function messagesOf({ body }: Arrived): readonly PlainMessage[] {
  return JSON.parse(body).messages;
}

/** What such a server answers to a request that it doesn't understand. */
export function refusalOf(request: Arrived): Script | undefined {
  const body: Record<string, unknown> = JSON.parse(request.body);
  const field = ["tools", "tool_choice", "parallel_tool_calls", "functions", "function_call"]
    .find((name) => name in body);
  if (field !== undefined) return refuse(`"${field}": this model does not support tools`);
  const messages = messagesOf(request);
  const wrong = messages.find(({ role }) => !["system", "user", "assistant"].includes(role));
  if (wrong !== undefined) return refuse(`unknown role "${wrong.role}"`);
  const called = messages.find((message) => "tool_calls" in message || "tool_call_id" in message);
  if (called !== undefined) return refuse("unknown field of a message");
  const turns = messages.filter(({ role }) => role !== "system").map(({ role }) => role);
  const isAlternating = turns.every((role, index) => role === (index % 2 === 0 ? "user" : "assistant"));
  return isAlternating
    ? undefined
    : refuse("Conversation roles must alternate user/assistant/user/assistant");
}

function refuse(message: string): Script {
  return {
    error: { status: 400, body: JSON.stringify({ error: { message, type: "invalid_request_error" } }) },
  };
}
