import assert from "node:assert/strict";
import { CustomCallStream, withCustomCalls } from "../../../src/chat/message/custom_calls.ts";

const NAMES = new Set(["f"]);

/** The inputs of the custom calls of an answer. */
function inputs(answer: object, field: "message" | "delta"): unknown[] {
  assert("choices" in answer && Array.isArray(answer.choices));
  return answer.choices.flatMap((choice) => choice[field].tool_calls ?? []).map(({ custom }) => custom.input);
}

Deno.test("a custom call whose arguments aren't text is the same in a whole answer and in a stream", () => {
  const odd: readonly (readonly [given: unknown, inputs: readonly unknown[]])[] = [
    ['{"input":"a"}', ["a"]],
    [{ input: "a" }, ["a"]],
    [{ toString: 1 }, ['{"toString":1}']],
    [[{ toString: 1 }], []],
    [1, []],
    [null, []],
    [undefined, []],
  ];
  for (const [given, expected] of odd) {
    const calls = [{ index: 0, id: "1", type: "function", function: { name: "f", arguments: given } }];
    const whole = withCustomCalls({ choices: [{ index: 0, message: { tool_calls: calls } }] }, NAMES);
    const chunk = { choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: "tool_calls" }] };
    const streamed = new CustomCallStream(NAMES).push(chunk);
    assert.deepEqual([inputs(whole, "message"), inputs(streamed, "delta")], [expected, expected]);
  }
});
