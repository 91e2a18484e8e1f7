import assert from "node:assert/strict";
import { translateWhole } from "../../../src/chat/pipeline/whole.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";
import { BracketSource } from "../../support/bracket_source.ts";
import { IDENTITY } from "../../support/chunks.ts";
import { matcherOf, THOUGHT } from "../../support/thought.ts";

const OPTIONS = {
  createMatcher: () => new BracketSource(),
  createRenderer: () => new ToolCallRenderer(() => "call_1"),
};

function answer(message: Record<string, unknown>, finish: string | null = "stop"): string {
  const choice = {
    index: 0,
    message: { role: "assistant", ...message },
    finish_reason: finish,
    logprobs: null,
  };
  return JSON.stringify({ ...IDENTITY, choices: [choice], usage: { total_tokens: 3 }, odd: [1] });
}

Deno.test("translateWhole leaves an answer without calls as it is", () => {
  for (
    const body of [
      answer({ content: "a [b" }),
      answer({ content: null }),
      answer({ content: "" }),
      "no JSON",
      "{}",
    ]
  ) {
    assert.equal(translateWhole(body, OPTIONS), undefined, body);
  }
});

Deno.test("translateWhole rebuilds the message and keeps every other field", () => {
  const call = { id: "call_1", type: "function", function: { name: "t", arguments: '{"a":1}' } };
  const cases: [string, string | null][] = [['[[t {"a":1}]]', null], ['x[[t {"a":1}]]y', "xy"]];
  for (const [content, left] of cases) {
    const body = answer({ content, reasoning_content: "[[t {}]]", refusal: null });
    const expected = JSON.parse(body);
    expected.choices[0].message.content = left;
    expected.choices[0].message.tool_calls = [call];
    expected.choices[0].finish_reason = "tool_calls";
    assert.deepEqual(JSON.parse(translateWhole(body, OPTIONS) ?? ""), expected);
  }
});

Deno.test("translateWhole reads lists of parts and keeps those that are no text", () => {
  const thinking = { type: "thinking", thinking: "hm" };
  const body = answer({ content: [thinking, { type: "text", text: "a[[t {}]]" }] });
  const { message } = JSON.parse(translateWhole(body, OPTIONS) ?? "").choices[0];
  assert.deepEqual(message.content, [thinking, { type: "text", text: "a" }]);
  assert.equal(message.tool_calls.length, 1);
});

Deno.test("translateWhole appends to the upstream's own calls and repairs their reason", () => {
  const own = { id: "call_1", type: "function", function: { name: "own", arguments: "{}" } };
  const body = answer({ content: "x", tool_calls: [own] });
  assert.equal(JSON.parse(translateWhole(body, OPTIONS) ?? "").choices[0].finish_reason, "tool_calls");
  const both = JSON.parse(translateWhole(answer({ content: "[[t {}]]", tool_calls: [own] }), OPTIONS) ?? "");
  const ids = both.choices[0].message.tool_calls.map((call: { id: string }) => call.id);
  assert.equal(ids[0], "call_1");
  assert.notEqual(ids[1], "call_1");
});

Deno.test("translateWhole leaves out a call that was cut off, keeps the whole ones before it, and ends with length", () => {
  for (const reason of ["length", "stop", "tool_calls", null]) {
    for (const [content, calls] of [['[[t {"a', []], ['[[t {"b":1}]][[t {"a', ['{"b":1}']]] as const) {
      const { message, finish_reason } =
        JSON.parse(translateWhole(answer({ content }, reason), OPTIONS) ?? "").choices[0];
      assert.equal(finish_reason, "length", String(reason));
      const made = (message.tool_calls ?? []) as { function: { arguments: string } }[];
      assert.deepEqual(made.map((call) => call.function.arguments), calls);
    }
  }
});

Deno.test("translateWhole ends a call that has no finish reason", () => {
  const { finish_reason } =
    JSON.parse(translateWhole(answer({ content: "[[t {}]]" }, null), OPTIONS) ?? "").choices[0];
  assert.equal(finish_reason, "tool_calls");
});

Deno.test("translateWhole sends a region apart as reasoning, after the upstream's own", () => {
  const options = { ...OPTIONS, createMatcher: () => matcherOf(THOUGHT) };
  const body = answer({ content: "A [t]hm😀[/t]B", reasoning_content: "Own. " });
  const expected = JSON.parse(body);
  Object.assign(expected.choices[0].message, { content: "A B", reasoning_content: "Own. hm😀" });
  assert.deepEqual(JSON.parse(translateWhole(body, options) ?? ""), expected);
});

Deno.test("translateWhole shows the listener the index of each choice, or its position without one", () => {
  const body = JSON.stringify({
    ...IDENTITY,
    choices: [{ index: 7, message: { content: "a" } }, { index: 0, message: null }, {
      message: { content: "b" },
    }],
  });
  const heard: [string, number][] = [];
  const listener = {
    event: () => {},
    text: (text: string, choice: number) => void heard.push([text, choice]),
  };
  translateWhole(body, { ...OPTIONS, listener });
  assert.deepEqual(heard, [["a", 7], ["b", 2]]);
});
