import assert from "node:assert/strict";
import { quotableTexts } from "../../../src/chat/message/quotable.ts";

Deno.test("quotableTexts takes what users and tools wrote, in any turn, in its order", () => {
  const messages = [
    { role: "system", content: "rules" },
    { role: "user", content: "first" },
    { role: "assistant", content: "an answer" },
    { role: "tool", content: "result" },
    { role: "function", content: "old result" },
    { role: "user", content: "" },
    { role: "user", content: null },
  ];
  assert.deepEqual(quotableTexts({ messages }), ["first", "result", "old result"]);
});

Deno.test("quotableTexts finds the texts in a content's parts and leaves pictures alone", () => {
  const parts = [
    { type: "text", text: "one " },
    { type: "tool_result", content: [{ type: "text", text: "two " }] },
    { type: "output_text", output: { text: "three" } },
    { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
  ];
  assert.deepEqual(quotableTexts({ messages: [{ role: "user", content: parts as never }] }), [
    "one two three",
  ]);
});

Deno.test("quotableTexts of a request without messages is empty", () => {
  for (const messages of [undefined, [], [null], "x"]) {
    assert.deepEqual(quotableTexts({ messages } as never), []);
  }
});
