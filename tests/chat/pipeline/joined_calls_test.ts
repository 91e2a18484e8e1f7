import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { collect } from "../../../src/engine/event/stage.ts";
import { countWork } from "../../support/work.ts";
import { JoinedCalls } from "../../../src/chat/pipeline/joined_calls.ts";

function open() {
  const joined = new JoinedCalls();
  return {
    join: (origin: "text" | "native", events: readonly ContentEvent[]) => collect(joined[origin], events),
    end: () =>
      collect(joined.text, [{ kind: "finish", reason: "stop", truncated: false, isAnswered: false }]),
  };
}

function start(call: number, tool: string): ContentEvent {
  return { kind: "call_start", call, tool, rule: "any", confidence: 1 };
}

function whole(call: number, tool: string, json: string): ContentEvent[] {
  return [start(call, tool), { kind: "arguments", call, json }, { kind: "call_end", call }];
}

function summary(events: readonly ContentEvent[]): string[] {
  return events.map((event) =>
    event.kind === "call_start"
      ? `${event.call}:${event.tool}`
      : event.kind === "note"
      ? event.reason
      : event.kind
  );
}

Deno.test("JoinedCalls gives a call that came both ways once, whatever the order of its keys", () => {
  const joined = open();
  joined.join("text", whole(0, "a", '{"x":1,"y":[2]}'));
  assert.deepEqual(summary(joined.join("native", whole(0, "a", '{ "y": [2.0], "x": 1 }'))), [
    "repeated_call",
  ]);
  assert.deepEqual(joined.join("native", [{ kind: "arguments", call: 0, json: "\n" }]), []);
  assert.deepEqual(joined.end(), []);
});

Deno.test("JoinedCalls leaves out one call for each that came the other way", () => {
  const joined = open();
  joined.join("native", whole(0, "a", "{}"));
  joined.join("text", whole(0, "a", "{}"));
  assert.deepEqual(summary(joined.join("text", whole(1, "a", "{}"))), ["2:a", "arguments", "call_end"]);
});

Deno.test("JoinedCalls gives a call that only looked like a repetition, as a whole", () => {
  const joined = open();
  joined.join("text", whole(0, "a", '{"x":1}'));
  assert.deepEqual(joined.join("native", whole(0, "a", '{"x":2}').slice(0, 2)), []);
  assert.deepEqual(
    summary(joined.join("native", [{ kind: "call_end", call: 0 }])),
    ["1:a", "arguments", "call_end"],
  );
});

Deno.test("JoinedCalls waits for a call of the other side that is still coming", () => {
  for (
    const [rest, expected] of [["1}", ["arguments", "call_end", "repeated_call"]], [
      "2}",
      ["arguments", "call_end", "1:a", "arguments", "call_end"],
    ]] as const
  ) {
    const joined = open();
    joined.join("text", [start(0, "a"), { kind: "arguments", call: 0, json: '{"x":' }]);
    assert.deepEqual(joined.join("native", whole(0, "a", '{"x":1}')), []);
    const end: ContentEvent[] = [{ kind: "arguments", call: 0, json: rest }, { kind: "call_end", call: 0 }];
    assert.deepEqual(summary(joined.join("text", end)), expected);
  }
});

Deno.test("JoinedCalls gives what waits at the end, and what broke off at once", () => {
  const joined = open();
  joined.join("text", [start(0, "a")]);
  joined.join("native", whole(0, "a", "{}"));
  assert.deepEqual(summary(joined.end()), ["1:a", "arguments", "call_end"]);
  const broken = open();
  broken.join("text", whole(0, "a", "{}"));
  const abort: ContentEvent = { kind: "call_abort", call: 0, reason: "truncated" };
  assert.deepEqual(summary(broken.join("native", [start(0, "a"), abort])), ["1:a", "call_abort"]);
});

Deno.test("JoinedCalls looks at each of thousands of held calls a few times", () => {
  const joined = open();
  const COUNT = 1000;
  const held = (call: number) => joined.join("text", whole(call, "a", `{"x":${call}}`));
  for (let call = 0; call < COUNT; call++) joined.join("native", [start(call, "a")]);
  for (let call = 0; call < 4 * COUNT; call++) assert.deepEqual(held(call), []);
  const work = countWork(() => {
    for (let call = 0; call < COUNT - 1; call++) {
      const json: ContentEvent = { kind: "arguments", call, json: `{"x": ${2 * call}}` };
      const events = joined.join("native", [json, { kind: "call_end", call }]);
      assert.deepEqual(summary(events), ["arguments", "call_end", "repeated_call"]);
    }
    const last = joined.join("native", [{ kind: "call_abort", call: COUNT - 1, reason: "truncated" }]);
    assert.equal(last.filter(({ kind }) => kind === "call_start").length, 4 * COUNT - (COUNT - 1));
  });
  assert.ok(work < 2000 * COUNT, `${work}`);
});
