import assert from "node:assert/strict";
import type { Event } from "../../src/event/event.ts";
import { ToolCallRenderer } from "../../src/render/tool_calls.ts";

function numbered(): () => string {
  let count = 0;
  return () => `call_${++count}`;
}

function start(call: number, tool = "read_file"): Event {
  return { kind: "call_start", call, tool, rule: "any", confidence: 1 };
}

const whole = (call: number, json: string): Event[] => [
  start(call),
  { kind: "arguments", call, json },
  { kind: "call_end", call },
];

Deno.test("ToolCallRenderer gives a head, then fragments, and text between calls", () => {
  const renderer = new ToolCallRenderer(numbered());
  const deltas = renderer.render([
    { kind: "text", text: "A" },
    { kind: "text", text: "B" },
    start(0),
    { kind: "arguments", call: 0, json: '{"a"' },
    { kind: "arguments", call: 0, json: ":1}" },
    { kind: "call_end", call: 0 },
    { kind: "text", text: "C" },
    ...whole(1, "{}"),
  ]);
  assert.deepEqual(deltas, [
    { content: "AB" },
    {
      tool_calls: [{
        index: 0,
        id: "call_1",
        type: "function",
        function: { name: "read_file", arguments: "" },
      }],
    },
    { tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] },
    { content: "C" },
    {
      tool_calls: [{
        index: 1,
        id: "call_2",
        type: "function",
        function: { name: "read_file", arguments: "" },
      }],
    },
    { tool_calls: [{ index: 1, function: { arguments: "{}" } }] },
  ]);
});

Deno.test("ToolCallRenderer says tool_calls exactly when a call was sent", () => {
  const cases: [reason: string | null, events: Event[], expected: string | null][] = [
    ["stop", [], "stop"],
    [null, [], null],
    ["length", [], "length"],
    ["tool_calls", [], "stop"],
    ["stop", whole(0, "{}"), "tool_calls"],
    [null, whole(0, "{}"), "tool_calls"],
    ["eos", whole(0, "{}"), "tool_calls"],
    ["length", whole(0, "{}"), "length"],
    ["content_filter", whole(0, "{}"), "content_filter"],
    ["stop", [start(0), { kind: "call_abort", call: 0, reason: "truncated" }], "length"],
    ["content_filter", [start(0), { kind: "call_abort", call: 0, reason: "truncated" }], "content_filter"],
  ];
  for (const [reason, events, expected] of cases) {
    const renderer = new ToolCallRenderer(numbered());
    renderer.render(events);
    assert.equal(renderer.finish(reason).finishReason, expected, `${reason} after ${events.length} events`);
  }
});

Deno.test("ToolCallRenderer leaves the arguments of an aborted call unfinished", () => {
  const renderer = new ToolCallRenderer(numbered());
  const deltas = renderer.render([
    start(0),
    { kind: "arguments", call: 0, json: '{"a":"b' },
    { kind: "call_abort", call: 0, reason: "truncated" },
  ]);
  assert.equal(deltas.length, 2);
  assert.equal(deltas[1]?.tool_calls?.[0]?.function?.arguments, '{"a":"b');
});

Deno.test("ToolCallRenderer keeps the upstream's own ids and fields, and makes no id twice in a conversation", () => {
  const renderer = new ToolCallRenderer(numbered(), { takenIds: new Set(["call_1"]) });
  const native = { id: "own", extra: { signature: "s" } };
  const deltas = renderer.render([
    { kind: "call_start", call: 0, tool: "t", rule: "native", confidence: 1, native },
    { kind: "call_end", call: 0 },
    ...whole(1, ""),
    { kind: "call_start", call: 2, tool: "t", rule: "native", confidence: 1, native },
  ]);
  const heads = deltas.map((delta) => delta.tool_calls?.[0]);
  assert.deepEqual(heads.map((head) => head?.id), ["own", "call_2", "call_3"]);
  assert.deepEqual(heads.map((head) => head?.index), [0, 1, 2]);
  assert.equal(heads[0]?.signature, "s");
});

Deno.test("ToolCallRenderer ends the answer at the second call where the client takes one", () => {
  const notes: string[] = [];
  const note = ({ reason }: { reason: string }) => void notes.push(reason);
  const renderer = new ToolCallRenderer(numbered(), { isOneCall: true, note });
  renderer.render([...whole(0, "{}"), { kind: "text", text: "still sent" }]);
  assert.equal(renderer.finished, false);
  assert.deepEqual(renderer.render([...whole(1, "{}"), { kind: "text", text: "not sent" }]), []);
  assert.deepEqual([renderer.finished, renderer.finish("stop").finishReason, notes], [
    true,
    "tool_calls",
    ["one_call_only"],
  ]);
});

Deno.test("ToolCallRenderer does not end an answer while its one call is open", () => {
  const renderer = new ToolCallRenderer(numbered(), { isOneCall: true });
  renderer.render([start(0), start(1), { kind: "arguments", call: 1, json: "x" }, {
    kind: "call_end",
    call: 1,
  }]);
  assert.equal(renderer.finished, false);
  renderer.render([{ kind: "call_end", call: 0 }]);
  assert.equal(renderer.finished, true);
});

Deno.test("ToolCallRenderer makes an id its own when the source of ids repeats itself", () => {
  const renderer = new ToolCallRenderer(() => "same");
  const deltas = renderer.render([...whole(0, ""), ...whole(1, ""), ...whole(2, "")]);
  const ids = deltas.map((delta) => delta.tool_calls?.[0]?.id);
  assert.equal(new Set(ids).size, 3);
});
