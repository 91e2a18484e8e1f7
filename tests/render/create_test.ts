import assert from "node:assert/strict";
import { recognise } from "../../src/client/recognise.ts";
import { clientSchema } from "../../src/client/schema.ts";
import type { ChatRequest } from "../../src/chat/request.ts";
import type { Event } from "../../src/event/event.ts";
import { createRenderer } from "../../src/render/create.ts";

const openai = clientSchema.parse({ client: "openai", writes: "tool_calls", recognise: { has_tools: true } });
const look = { name: "look", parameters: { type: "object" } };
const prompted = clientSchema.parse({
  client: "prompted",
  writes: "text",
  recognise: { tools_section: [{ heading: "# Tools", tool: ["## {tool}"] }], any_tool: ["look"] },
  tools: { look: { parameters: { path: {} } } },
});
const CALL: Event[] = [
  { kind: "call_start", call: 0, tool: "look", rule: "r", confidence: 1 },
  { kind: "arguments", call: 0, json: '{"path":"a"}' },
  { kind: "call_end", call: 0 },
];

const CASES: readonly { name: string; request: ChatRequest; key: string; reason: string }[] = [
  {
    name: "tools",
    request: { tools: [{ type: "function", function: look }] },
    key: "tool_calls",
    reason: "tool_calls",
  },
  { name: "functions", request: { functions: [look] }, key: "function_call", reason: "function_call" },
  {
    name: "a list in the prompt",
    request: { messages: [{ role: "system", content: "# Tools\n\n## look\nLooks.\n" }] },
    key: "content",
    reason: "stop",
  },
];

for (const { name, request, key, reason } of CASES) {
  Deno.test(`createRenderer writes ${key} for a request with ${name}`, () => {
    const recognised = recognise(request, new Headers(), [openai, prompted]);
    assert.ok(recognised);
    const renderer = createRenderer(recognised, { newId: () => "id" });
    assert.ok(key in (renderer.render(CALL)[0] ?? {}));
    assert.equal(renderer.finish("stop").finishReason, reason);
  });
}
