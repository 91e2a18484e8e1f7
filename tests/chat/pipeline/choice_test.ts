import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import type { Sink } from "../../../src/chat/event/stage.ts";
import assert from "node:assert/strict";
import type { TextStage } from "../../../src/engine/event/stage.ts";
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

Deno.test("Choice holds text back until it cannot be a call, and gives it at the end", () => {
  const { choice, read } = open();
  assert.deepEqual(read({ text: "a[" }), { deltas: [{ content: "a" }], finishReason: null });
  assert.equal(choice.isEnded, false);
  assert.deepEqual(read({ reason: "stop" }), { deltas: [{ content: "[" }], finishReason: "stop" });
  assert.equal(choice.isEnded, true);
});

Deno.test("Choice leaves what nobody changes as it came", () => {
  const { read } = open();
  assert.equal(read({ role: "assistant", text: "a b", reasoning: "hm" }), undefined);
  assert.equal(read({ toolCalls: NATIVE }), undefined);
  assert.equal(read({ reason: "tool_calls" }), undefined);
});

Deno.test("Choice tells its matcher that the upstream cut the answer off", () => {
  const { read, reasons } = open();
  read({ text: "a[", reason: "length" });
  assert.deepEqual(reasons, ["truncated"]);
});

Deno.test("Choice ends only once", () => {
  const { choice, read } = open();
  read({ text: "[[t {}]]", reason: "stop" });
  assert.deepEqual(finish(choice.end({ truncated: true, end: undefined })), FINISHED(null));
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

Deno.test("Choice is uncertain while the last of some arguments may need a repair", () => {
  const { choice } = open();
  const [call] = NATIVE;
  const begun = { ...call, function: { name: "t", arguments: '{"x":1' } };
  choice.readCalls({ role: "assistant", toolCalls: [begun], reason: null });
  assert.equal(choice.isUncertain, true);
  choice.readCalls({ toolCalls: [{ index: 0, function: { arguments: "}" } }], reason: null });
  assert.equal(choice.isUncertain, false);
});

Deno.test("Choice passes text after its end unread", () => {
  const { read } = open();
  read({ role: "assistant", text: "x", reason: "stop" });
  assert.equal(read({ text: "[[t {}]]" }), undefined);
});

/** Keeps a text back until it is asked to go on, as the matcher does with a long one. */
class PausingSource implements TextStage {
  readonly #source = new BracketSource();
  #waiting: AnswerEvent | undefined;

  get isBehind(): boolean {
    return this.#waiting !== undefined;
  }

  push(event: AnswerEvent, out: Sink): void {
    if (event.kind === "text") this.#waiting = event;
    else this.#source.push(event, out);
  }

  resume(out: Sink): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) this.#source.push(waiting, out);
  }
}

Deno.test("Choice ends early once the rest of a text has a call that the client does not take", () => {
  const choice = createChoice({
    createMatcher: () => new PausingSource(),
    createRenderer: () => new ToolCallRenderer(() => "call_1", { isOneCall: true }),
  }, 0);
  assert.equal(choice.takeProse({ kind: "text", text: "[[t {}]][[u {}]]" })?.finishReason, null);
  assert.deepEqual([choice.isBehind, choice.isEndedEarly], [true, false]);
  assert.equal(finish(choice.resume())?.finishReason, "tool_calls");
  assert.deepEqual([choice.isBehind, choice.isEndedEarly], [false, true]);
});
