import assert from "node:assert/strict";
import type { WireEvent } from "../../../src/wires/event.ts";
import { MessagesWriter } from "../../../src/wires/anthropic/writer.ts";
import { readMessageStream } from "../../support/anthropic_order.ts";

const call: readonly WireEvent[] = [
  { kind: "call_start", call: 0, id: "a", tool: "t" },
  { kind: "arguments", call: 0, json: '{"x":1' },
];

function write(events: readonly WireEvent[]) {
  const writer = new MessagesWriter("m", { id: "1", created: 0 });
  const text = writer.begin() + writer.beat() + events.map((event) => writer.push(event)).join("");
  return readMessageStream(text);
}

Deno.test("MessagesWriter opens a new block for each change of kind", () => {
  const { blocks, isWhole, stopReason } = write([
    { kind: "reasoning", text: "hm" },
    { kind: "text", text: "a" },
    { kind: "text", text: "b" },
    ...call,
    { kind: "arguments", call: 0, json: "}" },
    { kind: "call_end", call: 0, id: "a", tool: "t", json: '{"x":1}' },
    { kind: "text", text: "c" },
    { kind: "finish", reason: "stop", usage: undefined },
  ]);
  assert.deepEqual(
    blocks.map(({ type, content }) => [type, content]),
    [["thinking", "hm"], ["text", "ab"], ["tool_use", '{"x":1}'], ["text", "c"]],
  );
  assert.deepEqual([isWhole, stopReason], [true, "tool_use"]);
});

Deno.test("MessagesWriter never stops the block of a call that broke off", () => {
  const abort: WireEvent = { kind: "call_abort", call: 0, id: "a", tool: "t", json: '{"x":1' };
  const cut = write([...call, abort, { kind: "text", text: "late" }, {
    kind: "finish",
    reason: "length",
    usage: undefined,
  }]);
  assert.deepEqual([cut.blocks[0]?.isStopped, cut.isWhole], [false, false]);
  assert.match(cut.error ?? "", /token limit/);
});

Deno.test("MessagesWriter counts cached tokens once", () => {
  const usage = { prompt: 10, completion: 5, cached: 4, reasoning: 0 };
  assert.deepEqual(write([{ kind: "finish", reason: "length", usage }]).usage, {
    input_tokens: 6,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 4,
    output_tokens: 5,
  });
});
