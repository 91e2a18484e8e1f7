import assert from "node:assert/strict";
import { singleChunk } from "../../../src/chat/message/single_chunk.ts";

Deno.test("singleChunk makes deltas of the messages, numbers their calls, and keeps numbers", () => {
  const body =
    '{"id":"a","big":12345678901234567890,"choices":[{"message":{"role":"assistant","content":"Hi",' +
    '"tool_calls":[{"id":"c","function":{"name":"t","arguments":"{}"}}]},"finish_reason":"stop"}]}';
  assert.equal(
    singleChunk(body),
    '{"id":"a","big":12345678901234567890,"choices":[{"finish_reason":"stop","index":0,"delta":{"role":"assistant",' +
      '"content":"Hi","tool_calls":[{"index":0,"id":"c","function":{"name":"t","arguments":"{}"}}]}}],' +
      '"object":"chat.completion.chunk"}',
  );
});
