import assert from "node:assert/strict";
import { Choice } from "../../src/pipeline/choice.ts";
import { ToolCallRenderer } from "../../src/render/tool_calls.ts";
import { BracketSource } from "../support/bracket_source.ts";

function open(seen: string[] = []): Choice {
  return new Choice({
    createSource: () => new BracketSource(),
    renderer: new ToolCallRenderer(() => "call_1"),
    observe: (event) => seen.push(event.kind),
  });
}

Deno.test("Choice holds text back until it cannot be a call, and gives it at the end", () => {
  const choice = open();
  assert.deepEqual(choice.read({ text: "a[", reason: null }), {
    deltas: [{ content: "a" }],
    finishReason: null,
  });
  assert.equal(choice.isEnded, false);
  assert.deepEqual(choice.read({ reason: "stop" }), { deltas: [{ content: "[" }], finishReason: "stop" });
  assert.equal(choice.isEnded, true);
});

Deno.test("Choice tells its source that the upstream cut the answer off", () => {
  const seen: string[] = [];
  open(seen).read({ text: "a[", reason: "length" });
  assert.deepEqual(seen, ["note"]);
});

Deno.test("Choice ends only once", () => {
  const choice = open();
  choice.read({ text: "[[t {}]]", reason: "stop" });
  assert.deepEqual(choice.end({ truncated: true }), { deltas: [], finishReason: null });
});

Deno.test("Choice adds the role to the first call, and only where the upstream did not say it", () => {
  const silent = open();
  assert.equal(silent.read({ text: "[[t {}]]", reason: null }).role, "assistant");
  assert.equal(silent.read({ text: "[[t {}]]", reason: null }).role, undefined);
  const spoken = open();
  spoken.read({ role: "assistant", text: "", reason: null });
  assert.equal(spoken.read({ text: "[[t {}]]", reason: null }).role, undefined);
});

function listen(): { choice: Choice; reasons: string[] } {
  const reasons: string[] = [];
  const choice = new Choice({
    createSource: () => new BracketSource(),
    renderer: new ToolCallRenderer(() => "call_1"),
    observe: (event) => event.kind === "note" && reasons.push(event.reason),
  });
  return { choice, reasons };
}

const NATIVE = [{ index: 0, id: "a", type: "function", function: { name: "t", arguments: "{}" } }];

Deno.test("Choice names what it mends around the upstream's own calls", () => {
  const { choice, reasons } = listen();
  assert.equal(choice.read({ toolCalls: NATIVE, reason: null }).role, "assistant");
  assert.equal(choice.read({ reason: "stop" }).finishReason, "tool_calls");
  assert.deepEqual(choice.read({ reason: "stop" }), { deltas: [], finishReason: null });
  assert.deepEqual(reasons, ["role_missing", "finish_reason_mended", "double_finish"]);
});

Deno.test("Choice ends an answer without a call with no word of one", () => {
  const { choice, reasons } = listen();
  assert.equal(choice.read({ toolCalls: [], reason: "tool_calls" }).finishReason, "stop");
  assert.deepEqual(reasons, ["calls_empty", "finish_reason_mended"]);
});

Deno.test("Choice gives a call that comes behind the end of its answer, with an end of its own", () => {
  const { choice } = listen();
  assert.equal(choice.read({ text: "x", reason: "stop" }).finishReason, "stop");
  assert.equal(choice.read({ toolCalls: NATIVE, reason: null }).deltas.length, 2);
  assert.equal(choice.read({ reason: "stop" }).finishReason, "tool_calls");
});

Deno.test("Choice says what is owed before and after", () => {
  const { choice } = listen();
  const [call] = NATIVE;
  const open = { ...call, function: { name: "t", arguments: '{"x":1' } };
  assert.deepEqual([...choice.read({ toolCalls: [open], reason: null }).owedAfter ?? []], [[0, "1"]]);
  assert.equal(choice.owes, true);
  const rest = choice.read({ toolCalls: [{ index: 0, function: { arguments: "}" } }], reason: null });
  assert.deepEqual([[...rest.owedBefore ?? []], rest.owedAfter, choice.owes], [[[0, "1"]], undefined, false]);
});
