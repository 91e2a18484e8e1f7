import assert from "node:assert/strict";
import { finish } from "../../../src/chat/pipeline/work.ts";
import { speakConversation, withSystemText } from "../../../src/chat/prompt/conversation.ts";
import { speakerOf } from "../../support/spoken.ts";
import { functionCall } from "../../support/chat_tools.ts";

const speaker = speakerOf("tags");
const speak = (messages: readonly unknown[]) => {
  const spoken = finish(speakConversation(messages, { speaker, tools: [] }));
  assert("messages" in spoken);
  return spoken.messages;
};
const made = (id: string, json: string) => (functionCall(id, "f", json));

Deno.test("speakConversation writes calls and results as text in turns", () => {
  assert.deepEqual(
    speak([
      { role: "user", content: "Do" },
      {
        role: "assistant",
        content: "I do.",
        tool_calls: [made("1", '{"a":"x"}'), made("2", "{}")],
        name: "me",
      },
      { role: "tool", tool_call_id: "2", content: [{ type: "text", text: "B" }] },
      { role: "tool", tool_call_id: "1", content: "A" },
      { role: "user", content: "And now?" },
    ]),
    [
      { role: "user", content: "Do" },
      { role: "assistant", content: "I do.\n<call f><arg a>x</arg></call>\n<call f></call>", name: "me" },
      { role: "user", content: "<result f>B</result>\n<result f>A</result>\n\nAnd now?" },
    ],
  );
});

Deno.test("speakConversation keeps images and the user's parts after the results", () => {
  const image = { type: "image_url", image_url: { url: "data:" } };
  assert.deepEqual(
    speak([
      { role: "tool", tool_call_id: "?", name: "g", content: [{ type: "text", text: "A" }, image] },
      { role: "user", content: [{ type: "text", text: "Look" }] },
    ]),
    [{
      role: "user",
      content: [{ type: "text", text: "<result g>A</result>" }, image, { type: "text", text: "Look" }],
    }],
  );
});

Deno.test("speakConversation reads legacy functions, two messages of one turn, and arguments that are nearly JSON", () => {
  assert.deepEqual(
    speak([
      { role: "assistant", content: null, function_call: { name: "f", arguments: "{'a': 'x',}" } },
      { role: "assistant", content: "I called." },
      { role: "function", name: "f", content: "A" },
    ]),
    [
      { role: "assistant", content: "I called.\n<call f><arg a>x</arg></call>" },
      { role: "user", content: "<result f>A</result>" },
    ],
  );
});

Deno.test("speakConversation joins messages of one role, and leaves all others alone", () => {
  const messages = [
    { role: "system", content: "S" },
    { role: "system", content: "S2" },
    { role: "user", content: "1", extra: 1 },
    { role: "assistant", content: [{ type: "text", text: "3" }] },
  ];
  assert.deepEqual(speak(messages), messages);
  assert.deepEqual(speak([{ role: "user", content: "1" }, { role: "user", content: "2" }]), [
    { role: "user", content: "1\n\n2" },
  ]);
  assert.deepEqual(speak([{ role: "assistant", content: "1" }, { role: "assistant", content: "2" }]), [
    { role: "assistant", content: "1\n2" },
  ]);
});

/** A part of a system message as some clients mark it. */
const OWN = { type: "text", text: "Own", cache_control: { type: "ephemeral" } };

Deno.test("withSystemText follows the agent's own text", () => {
  const user = { role: "user", content: "u" };
  assert.deepEqual(withSystemText([user], "T"), [{ role: "system", content: "T" }, user]);
  assert.deepEqual(withSystemText([{ role: "developer", content: "Own" }, user], "T"), [
    { role: "developer", content: "Own\n\nT" },
    user,
  ]);
  assert.deepEqual(
    withSystemText([{ role: "system", content: [OWN] }], "T")[0]?.content,
    [
      OWN,
      { type: "text", text: "\n\nT" },
    ],
  );
});
