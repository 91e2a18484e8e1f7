import assert from "node:assert/strict";
import { recognize } from "../../../src/chat/client/recognize.ts";
import { clientSchema } from "../../../src/chat/client/schema.ts";
import type { ChatRequest } from "../../../src/chat/message/request.ts";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { collect } from "../../../src/engine/event/stage.ts";
import { createRenderer } from "../../../src/chat/translator/translator.ts";

const openai = clientSchema.parse({ client: "openai", writes: "tool_calls", recognize: { has_tools: true } });
const look = { name: "look", parameters: { type: "object" } };
const prompted = clientSchema.parse({
  client: "prompted",
  writes: "text",
  recognize: { tools_section: [{ heading: "# Tools", tool: ["## {tool}"] }], any_tool: ["look"] },
  tools: { look: { parameters: { path: {} } } },
});
const CALL: ContentEvent[] = [
  { kind: "call_start", call: 0, tool: "look", rule: "r", confidence: 1 },
  { kind: "arguments", call: 0, json: '{"path":"a"}' },
  { kind: "call_end", call: 0 },
];

const CASES: readonly { name: string; request: ChatRequest; kinds: string[]; reason: string }[] = [
  {
    name: "tools",
    request: { tools: [{ type: "function", function: look }] },
    kinds: ["call_start id", "arguments", "call_end"],
    reason: "tool_calls",
  },
  {
    name: "functions",
    request: { functions: [look] },
    kinds: ["call_start undefined", "arguments", "call_end"],
    reason: "function_call",
  },
  {
    name: "a list in the prompt",
    request: { messages: [{ role: "system", content: "# Tools\n\n## look\nLooks.\n" }] },
    kinds: ["text"],
    reason: "stop",
  },
];

for (const { name, request, kinds, reason } of CASES) {
  Deno.test(`createRenderer writes ${kinds[0]} for a request with ${name}`, () => {
    const recognized = recognize(request, new Headers(), [openai, prompted]);
    assert.ok(recognized);
    const renderer = createRenderer(recognized, { newId: () => "id" });
    const rendered = collect(renderer, CALL);
    const told = rendered.map((event) => event.kind === "call_start" ? `call_start ${event.id}` : event.kind);
    assert.deepEqual(told, kinds);
    renderer.push({ kind: "finish", reason: "stop", truncated: false, isAnswered: false }, {
      push: (event) => assert.equal(event.kind === "finish" && event.reason, reason),
    });
  });
}
