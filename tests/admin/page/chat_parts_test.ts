import assert from "node:assert/strict";
import { partsOf } from "../../../src/admin/page/chat_parts.ts";

Deno.test("partsOf gives settings, tools and each message of a request", () => {
  const chat = {
    model: "m",
    messages: [
      { role: "system", content: "You\n help." },
      {
        role: "user",
        content: [{ type: "text", text: "Look" }, { type: "image_url", image_url: { url: "u" } }],
      },
      { role: "assistant", content: null, tool_calls: [{ id: "c" }] },
    ],
    tools: [{ type: "function", function: { name: "read_file" } }, { name: "bare" }],
  };
  const parts = partsOf(JSON.stringify(chat));
  assert.deepEqual(parts.map(({ title, summary }) => [title, summary]), [
    ["settings", '{ "model": "m" }'],
    ["2 tools", "read_file, bare"],
    ["system", "You help."],
    ["user", 'Look {"type":"image_url","image_url":{"url":"u"}}'],
    ["assistant", '{ "tool_calls": [ { "id": "c" } ] }'],
  ]);
  assert.equal(parts[2]?.text, "You\n help.");
  assert.deepEqual(partsOf("{}").map(({ title }) => title), ["settings"]);
});
