/**
 * Chat answers for tests: what an upstream sends, and what a client makes of what it gets.
 *
 * @module
 */
import { createParser } from "eventsource-parser";
import type { ChatChunk, ChoiceDelta } from "../../src/chat/message/chunk.ts";

/** Fields that every chunk of an answer has. */
export const IDENTITY = {
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1700000000,
  model: "test-model",
  system_fingerprint: "fp_1",
};

export function chunkMessage(
  delta: ChoiceDelta,
  options: { finish?: string | null; index?: number } = {},
): string {
  const choice = { index: options.index ?? 0, delta, finish_reason: options.finish ?? null };
  return message({ ...IDENTITY, choices: [choice] });
}

export function message(data: unknown): string {
  return `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** What a client has of one choice when the stream is over. */
export interface Heard {
  content: string;
  roles: string[];
  calls: { id: string | undefined; name: string | undefined; arguments: string }[];
  finishReasons: string[];
}

/** Everything that a client reads in a stream. */
export interface HeardAnswer {
  choices: Heard[];
  chunks: ChatChunk[];
  usage: unknown;
  isDone: boolean;
  errors: { message: string; code: string }[];
}

/** Reads a stream as a client does. */
export function hear(stream: string): HeardAnswer {
  const answer: HeardAnswer = { choices: [], chunks: [], usage: undefined, isDone: false, errors: [] };
  const parser = createParser({
    onEvent({ data }) {
      if (data === "[DONE]") return void (answer.isDone = true);
      const value = JSON.parse(data);
      if (value.error) answer.errors.push(value.error);
      else hearChunk(answer, value);
    },
  });
  parser.feed(stream);
  return answer;
}

function hearChunk(answer: HeardAnswer, chunk: ChatChunk): void {
  answer.chunks.push(chunk);
  answer.usage = chunk.usage ?? answer.usage;
  for (const { index = 0, delta, finish_reason } of chunk.choices) {
    const choice = answer.choices[index] ??= { content: "", roles: [], calls: [], finishReasons: [] };
    if (delta?.role) choice.roles.push(delta.role);
    if (typeof delta?.content === "string") choice.content += delta.content;
    for (const call of delta?.tool_calls ?? []) {
      const heard = choice.calls[call.index ?? 0] ??= { id: undefined, name: undefined, arguments: "" };
      heard.id ??= call.id;
      heard.name ??= call.function?.name;
      heard.arguments += call.function?.arguments ?? "";
    }
    if (finish_reason) choice.finishReasons.push(finish_reason);
  }
}
