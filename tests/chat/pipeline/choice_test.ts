import assert from "node:assert/strict";
import type { Choice, ChoiceInput } from "../../../src/chat/pipeline/choice.ts";
import { createChoice } from "../../../src/chat/pipeline/pipeline.ts";
import { finish } from "../../../src/chat/pipeline/work.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";
import { BracketSource } from "../../support/bracket_source.ts";

function open(): { choice: Choice; reasons: string[]; read: (input: Partial<ChoiceInput>) => unknown } {
  const reasons: string[] = [];
  const choice = createChoice({
    createMatcher: () => new BracketSource(),
    createRenderer: () => new ToolCallRenderer(() => "call_1"),
    listener: { event: (event) => event.kind === "note" && reasons.push(event.reason) },
  }, 0);
  const read = (input: Partial<ChoiceInput>) => {
    const whole = { reason: null, ...input };
    return finish(choice.take(whole, choice.readCalls(whole)));
  };
  return { choice, reasons, read };
}

const NATIVE = [{ index: 0, id: "a", type: "function", function: { name: "t", arguments: "{}" } }];
const FINISHED = (finishReason: string | null) => ({ deltas: [], finishReason });

Deno.test("Choice ends only once", () => {
  const { choice, read } = open();
  read({ text: "[[t {}]]", reason: "stop" });
  assert.deepEqual(choice.end({ truncated: true, end: undefined }), FINISHED(null));
});

Deno.test("Choice names what it repairs around the upstream's own calls", () => {
  const { read, reasons } = open();
  const { role } = read({ toolCalls: NATIVE }) as { role?: string };
  assert.equal(role, "assistant");
  assert.deepEqual(read({ reason: "stop" }), FINISHED("tool_calls"));
  assert.deepEqual(read({ reason: "stop" }), FINISHED(null));
  assert.deepEqual(reasons, ["role_missing", "finish_reason_repaired", "double_finish"]);
});

Deno.test("Choice ends an answer without a call with no word of one", () => {
  const { read, reasons } = open();
  assert.deepEqual(read({ toolCalls: [], reason: "tool_calls" }), FINISHED("stop"));
  assert.deepEqual(reasons, ["calls_empty", "finish_reason_repaired"]);
});

Deno.test("Choice gives a call that comes after the end of its answer, with an end of its own", () => {
  const { read } = open();
  assert.equal(read({ role: "assistant", text: "x", reason: "stop" }), undefined);
  assert.equal(read({ toolCalls: NATIVE }), undefined);
  assert.deepEqual(read({ reason: "stop" }), FINISHED("tool_calls"));
});

Deno.test("Choice passes text after its end unread", () => {
  const { read } = open();
  read({ role: "assistant", text: "x", reason: "stop" });
  assert.equal(read({ text: "[[t {}]]" }), undefined);
});

Deno.test("Choice reads a long text in slices, pauses between them, and cuts no character", () => {
  const seen: string[] = [];
  const choice = createChoice({
    createMatcher: () => new BracketSource(),
    createRenderer: () => new ToolCallRenderer(() => "call_1"),
    listener: { event() {}, text: (text) => void seen.push(text) },
    isPauseDue: () => true,
  }, 0);
  for (const long of ["x".repeat(5000), `${"x".repeat(2047)}😀y`, "😀".repeat(3000)]) {
    seen.length = 0;
    const work = choice.take({ reason: null, text: long }, undefined);
    let pauses = 0;
    let step = work.next();
    for (; !step.done; pauses++) step = work.next();
    assert.equal(step.value, undefined, "the message stays unchanged");
    assert.equal(seen.join(""), long);
    assert.equal(pauses, seen.length - 1);
    assert.ok(
      seen.every((slice) => slice.isWellFormed() && slice.length <= 2049),
      `${seen.map((s) => s.length)}`,
    );
  }
});

Deno.test("Choice ends early once a text has a call that the client does not take", () => {
  const choice = createChoice({
    createMatcher: () => new BracketSource(),
    createRenderer: () => new ToolCallRenderer(() => "call_1", { isOneCall: true }),
  }, 0);
  const outcome = finish(choice.take({ reason: null, text: "[[t {}]][[u {}]]" }, undefined));
  assert.deepEqual([outcome?.finishReason, choice.isEndedEarly], ["tool_calls", true]);
});
