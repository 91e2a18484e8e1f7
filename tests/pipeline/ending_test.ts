import assert from "node:assert/strict";
import type { AnswerEvent, FinishEvent } from "../../src/event/event.ts";
import { Ending } from "../../src/pipeline/ending.ts";

const FINISH: FinishEvent = { kind: "finish", reason: "stop", truncated: false, isAnswered: false };
const CALL: AnswerEvent = { kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1 };

function pass(ending: Ending, ...events: readonly AnswerEvent[]): string[] {
  const kinds: string[] = [];
  for (const event of events) {
    ending.push(event, {
      push: (each) => void kinds.push(each.kind === "note" ? each.reason : each.kind),
    });
  }
  return kinds;
}

Deno.test("Ending drops each finish that follows a call's own, and notes it once", () => {
  const ending = new Ending();
  assert.deepEqual(pass(ending, CALL, FINISH), ["call_start", "finish"]);
  assert.deepEqual(pass(ending, FINISH, FINISH), ["double_finish"]);
  assert.deepEqual([ending.hasCall, ending.isEnded], [true, true]);
});

Deno.test("Ending gives a call after the end an end of its own", () => {
  const ending = new Ending();
  assert.deepEqual(pass(ending, FINISH, CALL, FINISH, FINISH), [
    "finish",
    "call_start",
    "finish",
    "double_finish",
  ]);
});

Deno.test("Ending lets every finish of an answer without calls pass", () => {
  assert.deepEqual(pass(new Ending(), FINISH, FINISH), ["finish", "finish"]);
});
