import type { AnswerEvent, FinishEvent } from "../../../src/chat/event/event.ts";
import assert from "node:assert/strict";
import { FinishFilter } from "../../../src/chat/pipeline/finish_filter.ts";

const FINISH: FinishEvent = { kind: "finish", reason: "stop", truncated: false, isAnswered: false };
const CALL: AnswerEvent = { kind: "call_start", call: 0, tool: "t", rule: "r", confidence: 1 };

function pass(filter: FinishFilter, ...events: readonly AnswerEvent[]): string[] {
  const kinds: string[] = [];
  for (const event of events) {
    filter.push(event, { push: (each) => void kinds.push(each.kind === "note" ? each.reason : each.kind) });
  }
  return kinds;
}

Deno.test("FinishFilter drops each finish that follows a call's own, and notes it once", () => {
  const filter = new FinishFilter();
  assert.deepEqual(pass(filter, CALL, FINISH), ["call_start", "finish"]);
  assert.deepEqual(pass(filter, FINISH, FINISH), ["double_finish"]);
  assert.deepEqual([filter.hasCall, filter.isEnded], [true, true]);
});

Deno.test("FinishFilter lets every finish of an answer without calls pass", () => {
  assert.deepEqual(pass(new FinishFilter(), FINISH, FINISH), ["finish", "finish"]);
});
