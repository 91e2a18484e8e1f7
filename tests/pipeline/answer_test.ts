import assert from "node:assert/strict";
import { Answer } from "../../src/pipeline/answer.ts";
import { ToolCallRenderer } from "../../src/render/tool_calls.ts";
import { BracketSource } from "../support/bracket_source.ts";
import { IDENTITY } from "../support/chunks.ts";

function open(): Answer {
  return new Answer({
    createSource: () => new BracketSource(),
    createRenderer: () => new ToolCallRenderer(() => "call_1"),
  });
}

Deno.test("Answer leaves a chunk as it is where no choice says anything else", () => {
  const chunk = {
    ...IDENTITY,
    choices: [{ index: 0, delta: { content: "text" } }, { index: 1, delta: null }],
  };
  assert.deepEqual([open().read(chunk).isUnchanged, open().read(chunk).owes], [true, false]);
});

Deno.test("Answer rewrites only the choices of a chunk that say something else", () => {
  const other = { index: 1, delta: { content: "text" }, finish_reason: null };
  const reading = open().read({ ...IDENTITY, choices: [{ index: 0, delta: { content: "a[" } }, other] });
  assert.equal(reading.isUnchanged, false);
  assert.deepEqual(reading.write().map((chunk) => chunk.choices), [[
    { index: 0, delta: { content: "a" }, finish_reason: null },
    other,
  ]]);
});

Deno.test("Answer keeps the last usage that it heard of", () => {
  const answer = open();
  assert.deepEqual(answer.usageChunk, []);
  answer.read({ ...IDENTITY, choices: [{ index: 0, delta: { content: "a" } }], usage: { total_tokens: 1 } });
  answer.read({ ...IDENTITY, choices: [{ index: 0, delta: { content: "b" } }], usage: { total_tokens: 2 } });
  assert.deepEqual(answer.usageChunk, [{ ...IDENTITY, choices: [], usage: { total_tokens: 2 } }]);
});

Deno.test("Answer closes the choices that its upstream left open", () => {
  const answer = open();
  answer.read({ ...IDENTITY, choices: [{ index: 0, delta: { content: "x" }, finish_reason: "stop" }] });
  answer.read({ ...IDENTITY, choices: [{ index: 1, delta: { content: "[[t {" } }] });
  assert.deepEqual(answer.close({ truncated: true }), {
    chunks: [{ ...IDENTITY, choices: [{ index: 1, delta: {}, finish_reason: "length" }] }],
    hasFinish: true,
    isConfirmed: false,
  });
});
