/**
 * Checks the order of a streamed answer of Ollama's chat API, as its strictest readers do: Zed's types demand every field.
 *
 * @module
 */
import assert from "node:assert/strict";
import { checkCall, type ReadAnswer, unreadAnswer } from "./read_answer.ts";

const COUNTS = [
  "total_duration",
  "load_duration",
  "prompt_eval_count",
  "prompt_eval_duration",
  "eval_count",
  "eval_duration",
];

/** Reads a stream; throws where it breaks a rule of the API. */
export function readOllamaStream(stream: string): ReadAnswer {
  assert.ok(stream === "" || stream.endsWith("\n"), "the stream ends inside a line");
  const answer = unreadAnswer();
  const ids = new Set<unknown>();
  let isOver = false;
  for (const line of stream.split("\n").slice(0, -1)) {
    const value = JSON.parse(line);
    assert.ok(!isOver, "a line after the end");
    if (value.error !== undefined) {
      assert.deepEqual([Object.keys(value), typeof value.error], [["error"], "string"]);
      isOver = true;
      answer.error = value.error;
      continue;
    }
    const { model, created_at: created, message, done, ...end } = value;
    assert.equal(model, "m");
    assert.ok(!Number.isNaN(Date.parse(created)), "a line has its time");
    const { role, content, thinking = "", tool_calls: calls = [], ...others } = message;
    assert.deepEqual([role, typeof content, typeof thinking, others], ["assistant", "string", "string", {}]);
    for (const { id, function: { name, arguments: args, ...more }, ...rest } of calls) {
      assert.deepEqual([more, rest], [{}, {}]);
      checkCall({ id, name, args }, ids);
      answer.calls.push([name, args]);
    }
    answer.text += content;
    answer.reasoning += thinking;
    if (done === true) {
      assert.deepEqual([content, thinking, calls], ["", "", []], "the last line is empty");
      assert.ok(["stop", "length"].includes(end.done_reason));
      for (const name of COUNTS) assert.ok(Number.isInteger(end[name]), name);
      isOver = answer.isWhole = true;
      answer.isCut = end.done_reason === "length";
    } else assert.deepEqual([done, end], [false, {}]);
  }
  return answer;
}
