import assert from "node:assert/strict";
import { cutCallText, type FinishReason, type WireEvent } from "../../../src/wires/event.ts";
import { GeminiWriter, writeGeminiAnswer } from "../../../src/wires/gemini/writer.ts";

const identity = { id: "1", created: 0 };
const answer = { model: "m", identity };
const json = '{"path": "a';

/** A call that broke off, and the end of the answer. */
function cutBy(reason: FinishReason): WireEvent[] {
  return [
    { kind: "call_start", call: 0, id: "a", tool: "write" },
    { kind: "arguments", call: 0, json },
    { kind: "call_abort", call: 0, id: "a", tool: "write", json },
    { kind: "finish", reason, usage: undefined },
  ];
}

for (
  const [reason, finishReason] of [["length", "MAX_TOKENS"], ["stop", "MALFORMED_FUNCTION_CALL"]] as const
) {
  Deno.test(`GeminiWriter shows a call that broke off as text and ends with ${finishReason}`, () => {
    const writer = new GeminiWriter(answer);
    const text = cutBy(reason).map((event) => writer.push(event)).join("");
    const chunks = text.split("\n\n").slice(0, -1).map((line) => JSON.parse(line.slice("data: ".length)));
    const [shown, end] = chunks.map(({ candidates }) => candidates[0]);
    assert.deepEqual(shown.content.parts, [{ text: cutCallText("write", json) }]);
    assert.deepEqual([end.finishReason, chunks.length], [finishReason, 2]);
  });

  Deno.test(`writeGeminiAnswer shows a call that broke off as text and ends with ${finishReason}`, () => {
    const parts = [{ kind: "call", id: "a", tool: "write", json, isWhole: false }] as const;
    assert.deepEqual(writeGeminiAnswer({ parts, reason, usage: undefined }, answer)["candidates"], [{
      index: 0,
      content: { role: "model", parts: [{ text: cutCallText("write", json) }] },
      finishReason,
    }]);
  });
}
