/**
 * A whole answer as the only chunk of a stream, for servers that are asked for a stream and send JSON.
 *
 *     {"choices": [{"message": {"content": "Hi"}}]}   →   {"choices": [{"index": 0, "delta": {"content": "Hi"}}]}
 *
 * @module
 */
import type { ChatMessage } from "./chunk.ts";
import { readCompletion } from "./read.ts";
import { writeChanged } from "./number_spelling.ts";

/** The JSON of the chunk; undefined if the body isn't an answer. Numbers keep their spelling. */
export function singleChunk(body: string): string | undefined {
  const completion = readCompletion(body);
  if (completion === undefined) return undefined;
  const choices = completion.choices.map(({ message, ...choice }, position) => ({
    ...choice,
    index: choice.index ?? position,
    delta: deltaOf(message ?? {}),
  }));
  const changed = { ...completion, object: "chat.completion.chunk", choices };
  return writeChanged(body, { original: completion, changed });
}

function deltaOf({ tool_calls: calls, ...message }: ChatMessage): object {
  return Array.isArray(calls)
    ? { ...message, tool_calls: calls.map((call, index) => ({ index, ...call })) }
    : message;
}
