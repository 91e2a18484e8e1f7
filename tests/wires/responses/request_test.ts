import assert from "node:assert/strict";
import { reasoningItem } from "../../../src/wires/responses/reasoning.ts";
import { readResponsesRequest } from "../../../src/wires/responses/request.ts";

const f = { type: "function", name: "f", parameters: { type: "object" } };

function read(body: Record<string, unknown>): Record<string, unknown> {
  const request = readResponsesRequest({ model: "m", input: "Hi", ...body });
  assert.ok("chat" in request, "the request is refused");
  return request.chat;
}

Deno.test("readResponsesRequest merges the items of a turn into one message", () => {
  const { summary: _, ...encrypted } = reasoningItem("rs_1", "hm");
  const { messages } = read({
    instructions: "A",
    input: [
      { type: "message", role: "developer", content: [{ type: "input_text", text: "B" }] },
      {
        role: "user",
        content: [{ type: "input_text", text: "Hi" }, { type: "input_image", image_url: "data:x" }],
      },
      encrypted,
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes" }] },
      { type: "function_call", call_id: "a", name: "f", arguments: "{}" },
      { type: "function_call", call_id: "b", name: "f", arguments: "" },
      { type: "function_call_output", call_id: "b", output: "B" },
    ],
  });
  const called = { name: "f", arguments: "{}" };
  assert.deepEqual(messages, [
    { role: "system", content: "A\n\nB" },
    {
      role: "user",
      content: [{ type: "text", text: "Hi" }, { type: "image_url", image_url: { url: "data:x" } }],
    },
    {
      role: "assistant",
      content: "Yes",
      reasoning_content: "hm",
      tool_calls: [
        { id: "a", type: "function", function: called },
        { id: "b", type: "function", function: called },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "" },
    { role: "tool", tool_call_id: "b", content: "B" },
  ]);
});

Deno.test("readResponsesRequest renames options", () => {
  const chat = read({
    max_output_tokens: 9,
    reasoning: { effort: "low" },
    text: { format: { type: "json_schema", name: "n", schema: {} } },
    tools: [f, { ...f, name: "g" }],
    tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "g" }] },
    stream: true,
  });
  assert.deepEqual(
    [chat["max_tokens"], chat["reasoning_effort"], chat["tool_choice"]],
    [9, "low", "required"],
  );
  assert.deepEqual(chat["response_format"], { type: "json_schema", json_schema: { name: "n", schema: {} } });
  assert.equal((chat["tools"] as unknown[]).length, 1);
  assert.deepEqual(chat["stream_options"], { include_usage: true });
});

Deno.test("readResponsesRequest counts tools that come as an item among the offered ones", () => {
  const chat = read({
    input: [{ type: "additional_tools", role: "developer", tools: [f] }, { role: "user", content: "Hi" }],
  });
  assert.equal((chat["tools"] as unknown[]).length, 1);
});
