import assert from "node:assert/strict";
import { readMessages } from "../../../src/wires/anthropic/request.ts";

function read(body: Record<string, unknown>): Record<string, unknown> {
  const request = readMessages({ model: "m", messages: [{ role: "user", content: "Hi" }], ...body });
  assert.ok("chat" in request, "the request is refused");
  return request.chat;
}

Deno.test("readMessages keeps one system message, whatever the places of the instructions", () => {
  const { messages } = read({
    system: [{ type: "text", text: "x-anthropic-billing-header: cch=1" }, { type: "text", text: "A" }],
    messages: [{ role: "user", content: "Hi" }, { role: "system", content: "B" }],
  });
  assert.deepEqual(messages, [{ role: "system", content: "A\n\nB" }, { role: "user", content: "Hi" }]);
});

Deno.test("readMessages renames options and asks for usage in a stream", () => {
  const chat = read({
    max_tokens: 9,
    stop_sequences: ["x"],
    metadata: { user_id: "u" },
    stream: true,
    top_k: 3,
  });
  assert.deepEqual([chat["max_tokens"], chat["stop"], chat["user"], chat["top_k"]], [9, ["x"], "u", 3]);
  assert.deepEqual(chat["stream_options"], { include_usage: true });
});

Deno.test("readMessages offers functions and leaves out what Anthropic's servers execute", () => {
  const tool = { name: "t", description: "d", input_schema: { type: "object" } };
  const { tools, tool_choice, parallel_tool_calls } = read({
    tools: [tool, { type: "web_search_20250305", name: "web_search" }],
    tool_choice: { type: "tool", name: "t", disable_parallel_tool_use: true },
  });
  assert.deepEqual(tools, [{
    type: "function",
    function: { name: "t", description: "d", parameters: { type: "object" } },
  }]);
  assert.deepEqual(tool_choice, { type: "function", function: { name: "t" } });
  assert.equal(parallel_tool_calls, false);
});

Deno.test("readMessages sends reasoning, calls and results of earlier turns", () => {
  const { messages } = read({
    messages: [
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "s" },
          { type: "redacted_thinking", data: "x" },
          { type: "tool_use", id: "a", name: "t", input: { x: 1 } },
        ],
      },
      { role: "user", content: [{ type: "text", text: "go on" }, { type: "tool_result", tool_use_id: "a" }] },
    ],
  });
  assert.deepEqual(messages, [
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: "",
      reasoning_content: "hm",
      tool_calls: [{ id: "a", type: "function", function: { name: "t", arguments: '{"x":1}' } }],
    },
    { role: "tool", tool_call_id: "a", content: "" },
    { role: "user", content: "go on" },
  ]);
});

Deno.test("readMessages refuses what a chat cannot hold", () => {
  const document = { type: "document", source: { type: "url", url: "https://example.com/a.pdf" } };
  for (
    const [body, code] of [
      [{ messages: [{ role: "user", content: [document] }] }, "invalid_request"],
      [{ messages: "Hi" }, "invalid_request"],
      [{ messages: [], thread: { type: "continue" } }, "thread_not_found"],
    ] as const
  ) {
    const request = readMessages(body);
    assert.equal("refusal" in request && request.refusal.code, code);
  }
});
