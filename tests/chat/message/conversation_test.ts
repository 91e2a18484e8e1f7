import assert from "node:assert/strict";
import { chosenTools, isLegacyRequest, takesOneCall } from "../../../src/chat/message/conversation.ts";
import type { ChatRequest } from "../../../src/chat/message/request.ts";

Deno.test("chosenTools reads every way to name a tool", () => {
  const cases: [ChatRequest, string[] | undefined][] = [
    [{}, undefined],
    [{ tool_choice: "auto" }, undefined],
    [{ tool_choice: "required" }, undefined],
    [{ tool_choice: { type: "function", function: { name: "a" } } }, ["a"]],
    [{ tool_choice: { type: "function", name: "a" } }, ["a"]],
    [{ function_call: { name: "a" } }, ["a"]],
    [{ function_call: "auto" }, undefined],
    [{ tool_choice: {} }, undefined],
    [{
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: {
          mode: "auto",
          tools: [{ type: "function", function: { name: "a" } }, {
            type: "function",
            function: { name: "b" },
          }],
        },
      },
    }, ["a", "b"]],
  ];
  for (const [request, expected] of cases) {
    const chosen = chosenTools(request);
    assert.deepEqual(chosen && [...chosen], expected, JSON.stringify(request));
  }
});

Deno.test("takesOneCall and isLegacyRequest read their fields", () => {
  assert.deepEqual([takesOneCall({}), takesOneCall({ parallel_tool_calls: false })], [false, true]);
  const functions = [{ name: "f" }];
  assert.deepEqual([isLegacyRequest({ functions }), isLegacyRequest({ functions, tools: [{}] })], [
    true,
    false,
  ]);
});
