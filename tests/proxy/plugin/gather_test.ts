import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import { type GatheredItem, Gatherer } from "../../../src/proxy/plugin/gather.ts";

function call(number: number, tool: string): ContentEvent[] {
  return [
    { kind: "call_start", call: number, tool, rule: "r", confidence: 1 },
    { kind: "arguments", call: number, json: "{}" },
    { kind: "call_end", call: number, source: tool },
  ];
}

const text = (text: string): ContentEvent => ({ kind: "text", text });
const note: ContentEvent = { kind: "note", reason: "transformed", rule: "r", start: 0, end: 1 };
const group: ContentEvent = { kind: "group_start", rule: "g", mode: "parallel" };

/** What comes out for each event, a step at a time. */
function steps(events: readonly ContentEvent[], gathersGroups = true): string {
  const gatherer = new Gatherer({ gathersGroups });
  const words = (all: readonly GatheredItem[]) => all.map(wordOf).join(" ");
  return [...events.map((event) => words(gatherer.take(event))), words(gatherer.end())]
    .filter((step) => step !== "").join(" | ");
}

function wordOf(one: GatheredItem): string {
  if (one.kind === "call") return one.whole.call.tool;
  if (one.kind === "event") {
    return one.event.kind === "text" ? JSON.stringify(one.event.text) : one.event.kind;
  }
  return `${one.start.mode}(${one.calls.map(({ call }) => call.tool).join(" ")})`;
}

const CASES: readonly (readonly [name: string, events: ContentEvent[], expected: string])[] = [
  ["one call", [...call(0, "a"), note, text("x")], 'a note "x"'],
  [
    "two calls in a row",
    [...call(0, "a"), note, ...call(1, "b"), note, text("x")],
    'null(a b) note note "x"',
  ],
  ["whitespace between two calls", [...call(0, "a"), text("\n"), ...call(1, "b")], 'null(a b) "\\n"'],
  ["text between two calls", [...call(0, "a"), text("x"), ...call(1, "b")], 'a "x" | b'],
  [
    "a wrapper after a call",
    [...call(0, "a"), group, ...call(1, "b"), { kind: "group_end" }, ...call(2, "c")],
    "a parallel(b) | c",
  ],
];

for (const [name, events, expected] of CASES) {
  Deno.test(`Gatherer gathers ${name}`, () => assert.equal(steps(events), expected));
}

Deno.test("Gatherer gives each call at once if nobody decides about groups", () => {
  assert.equal(steps([...call(0, "a"), ...call(1, "b"), text("x")], false), 'a | b | "x"');
});

Deno.test("Gatherer gives a row of a hundred calls", () => {
  const events = Array.from({ length: 101 }, (_, number) => call(number, "a")).flat();
  const [first, last] = steps(events).split(" | ");
  assert.deepEqual([first?.split("a").length, last], [101, "a"]);
});
