import assert from "node:assert/strict";
import type { CallEvent } from "../../../src/engine/event/event.ts";
import { Refusals } from "../../../src/engine/scan/refusals.ts";
import { programOf } from "../../support/matcher_events.ts";

const { rules: [rule, other] } = programOf(
  { rule: "a", pattern: "<a {tool}>(?<body>…)</a>", body: "json" },
  { rule: "b", pattern: "<b {tool}>(?<body>…)</b>", body: "json" },
);

function refusals() {
  const events: CallEvent[] = [];
  return { events, refusals: new Refusals((event) => events.push(event)) };
}

Deno.test("Refusals remembers which rules failed at the last position", () => {
  const { refusals: all } = refusals();
  all.add(rule!, 3);
  all.add(other!, 3);
  assert.deepEqual([all.has(rule!, 3), all.has(other!, 3), all.has(rule!, 4)], [true, true, false]);
  all.add(rule!, 7);
  assert.deepEqual([all.has(rule!, 7), all.has(other!, 7), all.has(rule!, 3)], [true, false, false]);
});

Deno.test("Refusals forgets where rules failed when the answer is read again", () => {
  const { events, refusals: all } = refusals();
  const candidate = { rule: rule!, offset: 3, end: 9, tool: undefined };
  all.add(rule!, 3);
  all.note({ reason: "malformed" }, candidate);
  all.restore(undefined);
  assert.equal(all.has(rule!, 3), false);
  all.note({ reason: "malformed" }, candidate);
  assert.equal(events.length, 2);
});

Deno.test("Refusals notes a candidate once, not the candidates inside it", () => {
  const { events, refusals: all } = refusals();
  const tool = "f";
  all.note({ reason: "unknown_tool" }, { rule: rule!, offset: 3, end: 9, tool });
  all.note({ reason: "unknown_tool" }, { rule: rule!, offset: 5, end: 9, tool });
  all.note({ reason: "malformed", detail: "x" }, { rule: other!, offset: 5, end: 9, tool: undefined });
  assert.deepEqual(events, [
    { kind: "note", reason: "unknown_tool", rule: "a", tool: "f", start: 3, end: 9 },
    { kind: "note", reason: "malformed", rule: "b", start: 5, end: 9, detail: "x" },
  ]);
});

Deno.test("Refusals notes quoted text once, for all rules", () => {
  const { events, refusals: all } = refusals();
  all.note({ reason: "quoted" }, { rule: rule!, offset: 3, end: 9, tool: undefined });
  all.note({ reason: "malformed" }, { rule: other!, offset: 5, end: 12, tool: undefined });
  all.note({ reason: "malformed" }, { rule: other!, offset: 9, end: 12, tool: undefined });
  assert.deepEqual(events.map((event) => event.kind === "note" && [event.reason, event.start]), [
    ["quoted", 3],
    ["malformed", 9],
  ]);
});

Deno.test("Refusals notes its exhaustion once", () => {
  const { events, refusals: all } = refusals();
  all.note({ reason: "quoted" }, { rule: rule!, offset: 3, end: 9, tool: undefined });
  for (const offset of [4, 5]) all.exhaust({ rule: rule!, offset, end: 9, tool: undefined });
  assert.ok(all.isExhausted);
  assert.deepEqual(events.map((event) => event.kind === "note" && [event.reason, event.start]), [
    ["quoted", 3],
    ["over_limit", 4],
  ]);
});
