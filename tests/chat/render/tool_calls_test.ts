import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { collect } from "../../../src/engine/event/stage.ts";
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

function idsOf(events: readonly ContentEvent[]): (string | undefined)[] {
  return events.flatMap((event) => event.kind === "call_start" ? [event.id] : []);
}

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

Deno.test("ToolCallRenderer makes an id its own when the source of ids repeats itself", () => {
  const renderer = new ToolCallRenderer(() => "same");
  const ids = idsOf(collect(renderer, [...whole(0, ""), ...whole(1, ""), ...whole(2, "")]));
  assert.equal(new Set(ids).size, 3);
});
