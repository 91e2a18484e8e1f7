import assert from "node:assert/strict";
import { ReplacementWriter } from "../../../src/chat/message/replacement.ts";
import type { ChoiceOutcome } from "../../../src/chat/message/write.ts";
import { ChatWriter } from "../../../src/chat/message/writer.ts";
import { IDENTITY } from "../../support/chunks.ts";

const CHUNK = { ...IDENTITY, choices: [{ index: 0, delta: { content: "x" }, finish_reason: null }] };

/** A writer, and how often something was written in full. */
function open(chunk = CHUNK) {
  let count = 0;
  const chat = new ChatWriter();
  const full = (outcome: ChoiceOutcome) => {
    count++;
    return (chat.write(chunk, [outcome]) ?? []).map((data) => `${data}\n`).join("");
  };
  return { writer: new ReplacementWriter(full), full, written: () => count };
}

const text = (content: string): ChoiceOutcome => ({ deltas: [{ content }], finishReason: null });
const json = (piece: string, index = 0): ChoiceOutcome => ({
  deltas: [{ tool_calls: [{ index, function: { arguments: piece } }] }],
  finishReason: null,
});

Deno.test("ReplacementWriter writes text as the long way does, without taking it", () => {
  const { writer, full, written } = open();
  const pieces = ["a", '"\\\n', "漢😀", "\ud83d", "$&"];
  const expected = pieces.map((piece) => full(text(piece)));
  assert.deepEqual(pieces.map((piece) => writer.write(text(piece))), expected);
  assert.equal(written(), 2 + pieces.length);
});

Deno.test("ReplacementWriter joins arguments of one call until something else comes", () => {
  const { writer, full } = open();
  assert.equal(writer.write(json('{"a":')), "");
  assert.equal(writer.isHolding, true);
  assert.equal(writer.write({ deltas: [], finishReason: null }), "");
  assert.equal(writer.write(json("1}")), "");
  assert.equal(writer.write(json("{}", 1)), full(json('{"a":1}')));
  assert.equal(writer.write(text("b")), full(json("{}", 1)) + full(text("b")));
  assert.deepEqual([writer.flush(), writer.isHolding], ["", false]);
});

Deno.test("ReplacementWriter takes the long way for everything else", () => {
  const { writer, full } = open();
  const head = { index: 0, id: "c", type: "function", function: { name: "t", arguments: "" } };
  const others: ChoiceOutcome[] = [
    { deltas: [{ tool_calls: [head] }], finishReason: null, role: "assistant" },
    { deltas: [{ content: "a" }, { tool_calls: [head] }], finishReason: null },
    { deltas: [], finishReason: "stop" },
    { deltas: [{ function_call: { arguments: "{" } }], finishReason: null },
  ];
  for (const outcome of others) assert.equal(writer.write(outcome), full(outcome));
});

Deno.test("ReplacementWriter keeps what else a message holds when its text is held back", () => {
  const { writer, full } = open({ ...CHUNK, timings: 1 } as typeof CHUNK);
  const held = { deltas: [], finishReason: null };
  assert.notEqual(full(held), "");
  assert.equal(writer.write(held), full(held));
});
