import assert from "node:assert/strict";
import { printAnswer, readAnswer } from "../../src/cli/demo_answer.ts";
import { encodeMessage } from "../../src/chat/sse/encode.ts";

const call = (index: number, fields: Record<string, unknown>) =>
  encodeMessage(JSON.stringify({ choices: [{ delta: { tool_calls: [{ index, function: fields }] } }] }));

Deno.test("readAnswer reads text and calls of a body and of a stream", () => {
  const message = { content: "A", tool_calls: [{ function: { name: "f", arguments: "{}" } }] };
  const body = JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" }] });
  assert.deepEqual(readAnswer(body, { isStream: false }), {
    text: "A",
    calls: ["f {}"],
    finishReason: "tool_calls",
    deltas: [],
  });
  const stream = call(0, { name: "f", arguments: "" }) + call(0, { arguments: "{}" });
  const { calls, deltas } = readAnswer(stream, { isStream: true });
  assert.deepEqual(calls, ["f {}"]);
  assert.equal(deltas[1], '{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}');
});

Deno.test("printAnswer shows both sides and leaves the middle of a long stream out", () => {
  const before = { text: "<call>\n\nx", calls: [], finishReason: "stop", deltas: [] };
  const after = {
    text: "",
    calls: ["f {}"],
    finishReason: "tool_calls",
    deltas: ["1", "2", "3", "4", "5", "6"],
  };
  assert.equal(
    printAnswer({ title: "T", model: "m", before, after }, { isTerminal: false }),
    [
      "",
      "T",
      "  the model m printed",
      "    │ <call>",
      "    │",
      "    │ x",
      "  the client gets",
      "    ├ call f {}",
      "    ├ in these deltas:",
      "    │   1",
      "    │   2",
      "    │   3",
      "    │   … 2 more …",
      "    │   6",
      "    └ finish_reason tool_calls",
      "",
    ].join("\n"),
  );
});
