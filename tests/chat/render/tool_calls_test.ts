import type { AnswerEvent } from "../../../src/chat/event/event.ts";
import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { collect } from "../../../src/engine/event/stage.ts";
import type { Renderer } from "../../../src/chat/render/renderer.ts";
import { ToolCallRenderer } from "../../../src/chat/render/tool_calls.ts";

function numbered(): () => string {
  let count = 0;
  return () => `call_${++count}`;
}

function start(call: number, tool = "read_file"): ContentEvent {
  return { kind: "call_start", call, tool, rule: "any", confidence: 1 };
}

const whole = (call: number, json: string): ContentEvent[] => [
  start(call),
  { kind: "arguments", call, json },
  { kind: "call_end", call },
];

/** The reason that the client gets, and the notes about it. */
function finish(
  renderer: Renderer,
  { reason, isAnswered = false }: { reason: string | null; isAnswered?: boolean },
): { reason: string | null | undefined; notes: string[] } {
  const came = { kind: "finish", reason, truncated: false, isAnswered } as const;
  const notes: string[] = [];
  let last: AnswerEvent | undefined;
  renderer.push(came, {
    push(event) {
      if (event.kind === "note") notes.push(event.reason);
      else last = event;
    },
  });
  assert(last?.kind === "finish");
  assert.equal(last === came, last.reason === reason);
  return { reason: last.reason, notes };
}

function idsOf(events: readonly ContentEvent[]): (string | undefined)[] {
  return events.flatMap((event) => event.kind === "call_start" ? [event.id] : []);
}

Deno.test("ToolCallRenderer gives calls an id and lets everything else pass as it is", () => {
  const events: ContentEvent[] = [{ kind: "text", text: "A" }, ...whole(0, '{"a":1}'), {
    kind: "text",
    text: "C",
  }];
  const rendered = collect(new ToolCallRenderer(numbered()), events);
  assert.deepEqual(rendered, events.with(1, { ...start(0), id: "call_1" } as ContentEvent));
  rendered.forEach((event, at) => at === 1 || assert.equal(event, events[at]));
});

Deno.test("ToolCallRenderer lets a call pass whose id and number are right, and no note", () => {
  const events: ContentEvent[] = [{ ...start(0), id: "own" } as ContentEvent, { kind: "call_end", call: 0 }];
  const note: ContentEvent = { kind: "note", reason: "transformed", rule: "r", start: 0, end: 1 };
  const rendered = collect(new ToolCallRenderer(numbered()), [...events, note]);
  assert.equal(rendered.length, 2);
  rendered.forEach((event, at) => assert.equal(event, events[at]));
});

Deno.test("ToolCallRenderer says tool_calls exactly when a call was sent", () => {
  const cases: [reason: string | null, events: ContentEvent[], expected: string | null][] = [
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
    ["content_filter", [start(0), { kind: "call_abort", call: 0, reason: "truncated" }], "length"],
  ];
  for (const [reason, events, expected] of cases) {
    const renderer = new ToolCallRenderer(numbered());
    collect(renderer, events);
    assert.equal(finish(renderer, { reason }).reason, expected, `${reason} after ${events.length} events`);
  }
});

Deno.test("ToolCallRenderer notes a reason that contradicts the upstream's own calls", () => {
  const renderer = new ToolCallRenderer(numbered());
  assert.deepEqual(finish(renderer, { reason: "tool_calls" }).notes, ["finish_reason_repaired"]);
  collect(renderer, whole(0, "{}"));
  assert.deepEqual(finish(renderer, { reason: "stop" }).notes, []);
  assert.deepEqual(finish(renderer, { reason: "stop", isAnswered: true }).notes, ["finish_reason_repaired"]);
  assert.deepEqual(finish(renderer, { reason: null, isAnswered: true }).notes, []);
});

Deno.test("ToolCallRenderer makes no id twice in a conversation", () => {
  const renderer = new ToolCallRenderer(numbered(), { takenIds: new Set(["call_1"]) });
  const own = (call: number): ContentEvent => ({ ...start(call), id: "own" } as ContentEvent);
  const rendered = collect(renderer, [own(0), start(1), own(2)]);
  assert.deepEqual(idsOf(rendered), ["own", "call_2", "call_3"]);
});

Deno.test("ToolCallRenderer ends the answer at the second call where the client takes one", () => {
  for (const options of [{ isOneCall: true }, { isLegacy: true }]) {
    const renderer = new ToolCallRenderer(numbered(), options);
    const text = { kind: "text", text: "still sent" } as const;
    assert.equal(collect(renderer, [...whole(0, "{}"), text]).at(-1), text);
    assert.equal(renderer.isFinished, false);
    const rendered = collect(renderer, [...whole(1, "{}"), { kind: "text", text: "not sent" }]);
    assert.deepEqual(rendered.map((event) => event.kind === "note" && event.reason), ["one_call_only"]);
    assert.equal(renderer.isFinished, true);
  }
});

Deno.test("ToolCallRenderer does not end an answer while its one call is open", () => {
  const renderer = new ToolCallRenderer(numbered(), { isOneCall: true });
  collect(renderer, [start(0), start(1), { kind: "arguments", call: 1, json: "x" }, {
    kind: "call_end",
    call: 1,
  }]);
  assert.equal(renderer.isFinished, false);
  collect(renderer, [{ kind: "call_end", call: 0 }]);
  assert.equal(renderer.isFinished, true);
});

Deno.test("ToolCallRenderer numbers the calls that are sent through", () => {
  const rendered = collect(new ToolCallRenderer(numbered()), [...whole(3, "{}"), ...whole(7, "{}")]);
  assert.deepEqual(rendered.map((event) => "call" in event && event.call), [0, 0, 0, 1, 1, 1]);
});

Deno.test("ToolCallRenderer makes an id its own when the source of ids repeats itself", () => {
  const renderer = new ToolCallRenderer(() => "same");
  const ids = idsOf(collect(renderer, [...whole(0, ""), ...whole(1, ""), ...whole(2, "")]));
  assert.equal(new Set(ids).size, 3);
});

Deno.test("ToolCallRenderer gives a client of functions no id, and the legacy reason", () => {
  const renderer = new ToolCallRenderer(numbered(), { isLegacy: true });
  const events = whole(0, "{}");
  assert.equal(collect(renderer, events)[0], events[0]);
  assert.equal(finish(renderer, { reason: "stop" }).reason, "function_call");
  assert.equal(
    finish(new ToolCallRenderer(numbered(), { isLegacy: true }), { reason: "length" }).reason,
    "length",
  );
});
