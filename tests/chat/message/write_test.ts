import assert from "node:assert/strict";
import type { ChatChunk } from "../../../src/chat/message/chunk.ts";
import { continueChunk, rewriteChunk, rewriteCompletion } from "../../../src/chat/message/write.ts";
import { IDENTITY } from "../../support/chunks.ts";

const HEAD = { index: 0, id: "c", type: "function", function: { name: "t", arguments: "" } };

function chunk(choice: ChatChunk["choices"][number], more: Record<string, unknown> = {}): ChatChunk {
  return { ...IDENTITY, choices: [choice], ...more };
}

Deno.test("rewriteChunk gives one chunk a delta, the finish last, with the answer's identity in each", () => {
  const came = chunk({ index: 0, delta: { role: "assistant", content: "x" }, finish_reason: "stop" });
  const chunks = rewriteChunk(came, [{
    deltas: [{ content: "A" }, { tool_calls: [HEAD] }],
    finishReason: "tool_calls",
  }]);
  assert.deepEqual(chunks.map((each) => each.choices[0]), [
    { index: 0, delta: { role: "assistant", content: "A" }, finish_reason: null },
    { index: 0, delta: { tool_calls: [HEAD] }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: "tool_calls" },
  ]);
  for (const { choices: _, ...identity } of chunks) assert.deepEqual(identity, IDENTITY);
});

Deno.test("rewriteChunk sends unknown fields and usage exactly once", () => {
  const came = chunk(
    {
      index: 0,
      delta: { content: "x", reasoning_content: "r" },
      finish_reason: null,
      logprobs: { content: [] },
    },
    { usage: { total_tokens: 3 }, timings: { n: 1 } },
  );
  const chunks = rewriteChunk(came, [{ deltas: [{ content: "A" }, { content: "B" }], finishReason: null }]);
  assert.deepEqual(chunks, [
    {
      ...IDENTITY,
      choices: [{ index: 0, delta: { content: "A", reasoning_content: "r" }, finish_reason: null }],
    },
    {
      ...IDENTITY,
      usage: { total_tokens: 3 },
      timings: { n: 1 },
      choices: [{ index: 0, delta: { content: "B" }, finish_reason: null, logprobs: { content: [] } }],
    },
  ]);
});

Deno.test("rewriteChunk sends nothing for held text, unless the chunk has something else", () => {
  const held = { deltas: [], finishReason: null };
  assert.deepEqual(
    rewriteChunk(chunk({ index: 0, delta: { content: "<" }, finish_reason: null }), [held]),
    [],
  );
  const [reasoning] = rewriteChunk(chunk({ index: 0, delta: { content: "<", reasoning_content: "r" } }), [
    held,
  ]);
  assert.deepEqual(reasoning?.choices[0]?.delta, { reasoning_content: "r" });
  const [usage] = rewriteChunk(chunk({ index: 0, delta: { content: "<" } }, { usage: { total_tokens: 1 } }), [
    held,
  ]);
  assert.deepEqual(usage, { ...IDENTITY, choices: [], usage: { total_tokens: 1 } });
});

Deno.test("rewriteChunk writes the upstream's own calls only as the outcome has them", () => {
  const native = [{ index: 7, id: "", type: "function", function: { name: "t", arguments: "{}" } }];
  const came = chunk({ index: 0, delta: { content: "x", tool_calls: native, reasoning_content: "r" } });
  const chunks = rewriteChunk(came, [{ deltas: [{ tool_calls: [HEAD] }], finishReason: null }]);
  assert.deepEqual(chunks.map((each) => each.choices[0]?.delta), [{
    reasoning_content: "r",
    tool_calls: [HEAD],
  }]);
});

Deno.test("rewriteChunk keeps the parts of a content list that are no text", () => {
  const thinking = { type: "thinking", thinking: "hm" };
  const came = chunk({ index: 0, delta: { content: [thinking, { type: "text", text: "x" }] } });
  const [first] = rewriteChunk(came, [{ deltas: [{ content: "A" }], finishReason: null }]);
  assert.deepEqual(first?.choices[0]?.delta?.content, [thinking, { type: "text", text: "A" }]);
  const [held] = rewriteChunk(came, [{ deltas: [], finishReason: null }]);
  assert.deepEqual(held?.choices[0]?.delta?.content, [thinking]);
});

Deno.test("continueChunk writes chunks with the name of the last one", () => {
  const template = chunk({ index: 0 }, { usage: { total_tokens: 1 } });
  const chunks = continueChunk(template, { index: 2, outcome: { deltas: [], finishReason: "length" } });
  assert.deepEqual(chunks, [{ ...IDENTITY, choices: [{ index: 2, delta: {}, finish_reason: "length" }] }]);
  assert.deepEqual(continueChunk(template, { index: 0, outcome: { deltas: [], finishReason: null } }), []);
});

Deno.test("rewriteCompletion rebuilds the message and keeps everything else", () => {
  const message = { role: "assistant", content: "x", refusal: null, reasoning_content: "r" };
  const completion = {
    ...IDENTITY,
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage: { a: 1 },
  };
  const rewritten = rewriteCompletion(completion, [{
    deltas: [{ tool_calls: [HEAD] }, { tool_calls: [{ index: 0, function: { arguments: "{}" } }] }],
    finishReason: "tool_calls",
  }]);
  const call = { id: "c", type: "function", function: { name: "t", arguments: "{}" } };
  assert.deepEqual(rewritten, {
    ...completion,
    choices: [{
      index: 0,
      message: { ...message, content: null, tool_calls: [call] },
      finish_reason: "tool_calls",
    }],
  });
});
