import assert from "node:assert/strict";
import { renameIds } from "../../../src/chat/compatibility/ids.ts";
import { changeMessages } from "../../../src/chat/compatibility/messages.ts";
import { MESSAGE_RULES, type MessageRule } from "../../../src/chat/compatibility/refused_forms.ts";

const user = (content: unknown) => ({ role: "user", content });
const system = (content: unknown) => ({ role: "system", content });
const calls = (content: unknown, ...ids: string[]) => ({
  role: "assistant",
  content,
  ...ids.length === 0
    ? {}
    : { tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })) },
});
const result = (id: string, content: unknown = "r") => ({ role: "tool", tool_call_id: id, content });
const text = (given: string) => ({ type: "text", text: given });
const IMAGE = { type: "image_url", image_url: { url: "data:," } };

const roleOf = (message: unknown) => (message as { role?: string }).role;

/** Rule → messages and what becomes of them; without the latter, nothing. */
const TABLE: readonly [MessageRule, unknown[], unknown[]?][] = [
  [
    "call_ids",
    [
      calls("", "", ""),
      result("", "A"),
      result("", "B"),
      calls("", "call_3", "x"),
      result(""),
      result("call_3"),
      calls("", "y", ""),
      result(""),
    ],
    [
      calls("", "call_1", "call_2"),
      result("call_1", "A"),
      result("call_2", "B"),
      calls("", "call_3", "x"),
      result("x"),
      result("call_3"),
      calls("", "y", "call_4"),
      result("y"),
    ],
  ],
  ["call_ids", [user("a"), calls("", "x", "y"), result("y"), result("gone"), result("x")]],
  ["no_developer", [{ role: "developer", content: "a" }], [system("a")]],
  ["text_parts", [user([text("a"), text("b")]), user([text("a"), IMAGE])], [
    user("a\nb"),
    user([text("a"), IMAGE]),
  ]],
  [
    "plain_parts",
    [
      user([{ type: "input_text", text: "a" }, IMAGE]),
      calls([{ type: "thinking", thinking: "t" }, { type: "output_text", text: "b" }]),
      calls([{ type: "refusal", refusal: "No." }]),
      calls([{ type: "redacted_thinking", data: "x" }], "x"),
    ],
    [
      user([text("a"), IMAGE]),
      calls([text("b")]),
      calls([text("No.")]),
      calls("", "x"),
    ],
  ],
  ["plain_parts", [user([text("a"), IMAGE]), calls(null, "x")]],
  ["content_text", [calls(null, "x"), { role: "assistant" }], [calls("", "x"), calls("")]],
  ["no_images", [user([text("a"), IMAGE])], [user("a\n(an image, which this model can't see)")]],
  ["no_images", [user([{ type: "file", file: {} }, { type: "input_audio" }, { type: "video_url" }])]],
  ["no_recordings", [user([{ type: "input_audio" }]), user([IMAGE])], [
    user("(a recording, which this model can't hear)"),
    user([IMAGE]),
  ]],
  ["no_links", [user([{ type: "audio_url" }, { type: "video_url" }]), user([IMAGE])], [
    user("(a recording, which this model can't hear)\n(a video, which this model can't see)"),
    user([IMAGE]),
  ]],
  ["no_files", [user([{ type: "file", file: {} }, { type: "image" }]), user([IMAGE])], [
    user("(a file, which this model can't read)\n(an image, which this model can't see)"),
    user([IMAGE]),
  ]],
  ["system_first", [system("a"), system("b"), user("c"), system([text("d")])], [
    system("a\n\nb"),
    user("c"),
    user([text("<system>\n"), text("d"), text("\n</system>")]),
  ]],
  ["system_first", [system("a"), user("b")]],
  ["no_system", [system("a"), user([text("b"), IMAGE])], [user([text("a"), text("b"), IMAGE])]],
  ["no_system", [system("a"), calls("b")], [user("a"), calls("b")]],
  ["no_system", [user("a")]],
  ["orphan_results", [calls("", "x"), result("x"), result("y"), result("")], [
    calls("", "x"),
    result("x"),
    user("<tool_result>\nr\n</tool_result>"),
    result(""),
  ]],
  [
    "single_calls",
    [calls("t", "x", "y"), result("y", "2"), result("x", "1"), user("u"), calls("", "z", "w")],
    [
      calls("t", "x"),
      result("x", "1"),
      calls("", "y"),
      result("y", "2"),
      user("u"),
      calls("", "z"),
      calls("", "w"),
    ],
  ],
  ["text_or_reasoning", [{ ...calls("t", "x"), reasoning: "r" }], [calls("t", "x")]],
  ["text_or_reasoning", [{ ...calls("", "x"), reasoning: "r" }, { ...calls("t"), reasoning: "r" }]],
  ["alternate", [calls("a"), calls("b", "x"), result("x"), result("y"), user("u"), user([IMAGE])], [
    user("Continue."),
    calls("a\n\nb", "x"),
    result("x"),
    result("y"),
    calls("Done."),
    user([text("u"), IMAGE]),
  ]],
  ["alternate", [system("s"), user("a"), calls(null, "x"), result("x"), calls("b"), user("c")]],
  ["user_required", [system("s"), calls("a")], [system("s"), user("Continue."), calls("a")]],
  ["user_required", [system("s")], [system("s"), user("Continue.")]],
  ["join_last", [user("a"), calls("b"), calls("c"), calls("d")], [user("a"), calls("b\n\nc\n\nd")]],
  ["join_last", [user("a"), calls("b"), user("c"), calls("d")]],
  ["arguments", [{
    role: "assistant",
    content: "",
    tool_calls: [{ id: "x", function: { name: "f", arguments: { a: 1 } } }],
  }], [
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "x", type: "function", function: { name: "f", arguments: '{"a":1}' } }],
    },
  ]],
];

Deno.test("changeMessages makes each change, and changes nothing twice", () => {
  for (const [rule, messages, becomes = messages] of TABLE) {
    const { messages: changed } = changeMessages(messages, [rule]);
    assert.deepEqual(changed, becomes, rule);
    assert.deepEqual(changeMessages(changed, [rule]), { messages: changed, changed: [] }, `${rule} again`);
  }
  const unchecked = Object.keys(MESSAGE_RULES).filter((rule) => !TABLE.some(([checked]) => checked === rule));
  assert.deepEqual(unchecked, ["continue_last"], "a field of the request");
});

Deno.test("changeMessages changes the beginning of a conversation the same way while it grows", () => {
  const grown = [
    system("s"),
    user("a"),
    user("b"),
    calls("c", "x", "y"),
    result("y"),
    result("x"),
    system("later"),
    user("d"),
    calls("e"),
    result("gone"),
    user("f"),
  ];
  const rules = (Object.keys(MESSAGE_RULES) as MessageRule[]).filter((rule) => rule !== "join_last");
  const whole = changeMessages(grown, rules).messages;
  for (let count = 2; count <= grown.length; count++) {
    const begun = changeMessages(grown.slice(0, count), rules).messages;
    // The last message may still be joined with the next one, or get its results.
    const settled = begun.slice(
      0,
      Math.max(0, begun.findLastIndex((message) => roleOf(message) === "assistant")),
    );
    assert.deepEqual(settled, whole.slice(0, settled.length), `${count} messages`);
  }
});

Deno.test("renameIds gives calls and results ids of one form, the same ones every time", () => {
  const messages = [
    calls("", "call_1", "abcDEF123"),
    result("call_1"),
    result("abcDEF123"),
    calls("", "call_1"),
    result("call_1"),
  ];
  const ids = (list: readonly unknown[]) =>
    (list as readonly { tool_call_id?: string; tool_calls?: { id: string }[] }[]).flatMap((
      { tool_call_id: id, tool_calls = [] },
    ) => [...id === undefined ? [] : [id], ...tool_calls.map((call: { id: string }) => call.id)]);
  const nine = ids(renameIds(messages, "nine_letters"));
  assert.ok(nine.every((id) => /^[a-zA-Z0-9]{9}$/.test(id)), nine.join());
  assert.deepEqual(nine, [nine[0], "abcDEF123", nine[0], "abcDEF123", nine[0], nine[0]]);
  assert.deepEqual(ids(renameIds(messages.slice(0, 3), "nine_letters")), nine.slice(0, 4));
  const numbered = renameIds(messages, "numbered_functions");
  assert.deepEqual(
    ids(numbered),
    ["functions.f:0", "functions.f:1", "functions.f:0", "functions.f:1", "functions.f:2", "functions.f:2"],
  );
  assert.equal(renameIds(numbered, "numbered_functions"), numbered);
  const none = [user("a")];
  assert.equal(renameIds(none, "nine_letters"), none);
});
