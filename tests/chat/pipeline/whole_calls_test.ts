import assert from "node:assert/strict";
import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import { WholeCalls } from "../../../src/chat/pipeline/whole_calls.ts";

const start = (call: number): AnswerEvent => ({
  kind: "call_start",
  call,
  tool: "t",
  rule: "r",
  confidence: 1,
});
const json = (call: number): AnswerEvent => ({ kind: "arguments", call, json: "{" });

function pass(events: readonly AnswerEvent[]): AnswerEvent[] {
  const stage = new WholeCalls();
  const passed: AnswerEvent[] = [];
  for (const event of events) stage.push(event, { push: (one) => void passed.push(one) });
  return passed;
}

Deno.test("WholeCalls passes on a call at its end, and none that was cut off", () => {
  const text: AnswerEvent = { kind: "text", text: "A" };
  const end: AnswerEvent = { kind: "call_end", call: 0 };
  const abort = (reason: "truncated" | "invalid_arguments"): AnswerEvent => ({
    kind: "call_abort",
    call: 1,
    reason,
  });
  const one = [start(0), json(0), end];
  assert.deepEqual(pass([start(0), text, json(0), end]), [text, ...one]);
  assert.deepEqual(pass([...one, start(1), json(1), abort("truncated")]), one);
  // Arguments that can't be repaired are sent raw, whole.
  const other = [start(1), json(1), abort("invalid_arguments")];
  assert.deepEqual(pass([...one, ...other]), [...one, ...other]);
});
