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
