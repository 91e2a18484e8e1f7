import assert from "node:assert/strict";
import { Conversation, PARAGRAPHS } from "../../src/wires/conversation.ts";

const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } } as const;

function text(text: string) {
  return { type: "text", text } as const;
}

Deno.test("Conversation puts all instructions into one message, which comes first", () => {
  const conversation = new Conversation();
  conversation.addSystem("A");
  conversation.addUser([text("hello")]);
  conversation.endMessage();
  conversation.addSystem("B");
  assert.deepEqual(conversation.messages(), [
    { role: "system", content: "A\n\nB" },
    { role: "user", content: "hello" },
  ]);
});

Deno.test("Conversation puts results after their calls, in the order of the calls, and images after them", () => {
  const conversation = new Conversation();
  conversation.addAssistant({ reasoning: "hm", text: "Reading." });
  conversation.addAssistant({ calls: [{ id: "a", tool: "read", json: "{}" }] });
  conversation.addAssistant({ calls: [{ id: "b", tool: "read", json: '{"path":"b"}' }] });
  conversation.addUser([text("Now …")]);
  conversation.addResult({ id: "b", parts: [text("B"), image] });
  conversation.addResult({ id: "a", parts: [] });
  assert.deepEqual(conversation.messages(), [
    {
      role: "assistant",
      content: "Reading.",
      reasoning_content: "hm",
      tool_calls: [
        { id: "a", type: "function", function: { name: "read", arguments: "{}" } },
        { id: "b", type: "function", function: { name: "read", arguments: '{"path":"b"}' } },
      ],
    },
    { role: "tool", tool_call_id: "a", content: "" },
    { role: "tool", tool_call_id: "b", content: "B\n(image follows)" },
    { role: "user", content: [image, text("Now …")] },
  ]);
});

Deno.test("Conversation keeps two messages of a user apart", () => {
  const conversation = new Conversation();
  conversation.addUser([text("one")]);
  conversation.endMessage();
  conversation.addUser([text("two"), text("three")]);
  assert.deepEqual(conversation.messages().map(({ content }) => content), ["one", "twothree"]);
});

Deno.test("Conversation joins the pieces of a text as they are, unless they are paragraphs", () => {
  for (const [separator, between] of [["", ""], [PARAGRAPHS, "\n\n"]] as const) {
    const conversation = new Conversation(separator);
    for (const piece of ["I wri", "te `x", ".ts`"]) conversation.addAssistant({ text: piece });
    conversation.addUser([text("o"), text("k")]);
    assert.deepEqual(conversation.messages().map(({ content }) => content), [
      ["I wri", "te `x", ".ts`"].join(between),
      ["o", "k"].join(between),
    ]);
  }
});
