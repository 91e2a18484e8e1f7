import assert from "node:assert/strict";
import { chatBody, invalidRequest, withoutNulls } from "../../src/wires/chat_body.ts";
import { Conversation } from "../../src/wires/conversation.ts";

Deno.test("chatBody leaves out fields without a value and asks for the token counts of a stream", () => {
  const conversation = new Conversation();
  conversation.addUser([{ type: "text", text: "Hi" }]);
  const messages = [{ role: "user", content: "Hi" }];
  const options = { temperature: 0, stop: null, seed: undefined };
  assert.deepEqual(chatBody({ model: "m", conversation, stream: false }, options), {
    model: "m",
    messages,
    stream: false,
    temperature: 0,
  });
  const streamed = chatBody({ model: "m", conversation: new Conversation(), stream: true }, {});
  assert.deepEqual(streamed["stream_options"], { include_usage: true });
});

Deno.test("withoutNulls keeps false, zero and the empty text", () => {
  assert.deepEqual(withoutNulls({ a: false, b: 0, c: "", d: null, e: undefined }), { a: false, b: 0, c: "" });
});

Deno.test("invalidRequest is a refusal with status 400", () => {
  assert.equal(invalidRequest("why").refusal.status, 400);
});
