import assert from "node:assert/strict";
import { chatText, shownChat } from "../../../src/desk/live/chat_text.ts";

Deno.test("chatText keeps no request that is too long, whatever makes it long", () => {
  const chat = (content: unknown) => ({ messages: [{ role: "user", content }] });
  assert.equal(chatText(chat("short")), '{"messages":[{"role":"user","content":"short"}]}');
  assert.equal(chatText(chat("x".repeat(600_000))), undefined);
  // Escapes are longer than what they stand for.
  assert.equal(chatText(chat("\u0001".repeat(200_000))), undefined);
  assert.equal(chatText(chat(Array.from({ length: 600_000 }, () => 1))), undefined);
});

Deno.test("shownChat removes secrets from texts, and leaves a schema that only names one", () => {
  const schema = { properties: { password: { type: "string" } } };
  const text = JSON.stringify({ schema, password: "pw", content: "key is topsecret1" });
  assert.deepEqual(JSON.parse(shownChat(text, ["topsecret1"])), {
    schema,
    password: "[redacted]",
    content: "key is [redacted]",
  });
});
