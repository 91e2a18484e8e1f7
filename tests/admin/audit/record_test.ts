import assert from "node:assert/strict";
import type { DecisionLine, RequestLine } from "../../../src/admin/audit/line.ts";
import { recordRequest } from "../../../src/admin/audit/record.ts";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import type { EventPlace } from "../../../src/proxy/exchange/watch.ts";
import { requestFacts } from "../../support/request_facts.ts";

const FACTS = requestFacts({
  id: "r1",
  model: "m key-12345678",
  conversation: "0123456789abcdef",
  toolCount: 2,
  secrets: ["key-12345678"],
});
const OUTCOME = { status: 200, durationMs: 12.34567, addedMs: 0.5, pieces: 3 };
const CALL = [
  { kind: "call_start", call: 0, tool: "t", rule: "demo", confidence: 0.9 },
  { kind: "arguments", call: 0, json: '{"password":"hunter2",' },
  { kind: "arguments", call: 0, json: '"a":1}' },
  { kind: "call_end", call: 0 },
] as const;
const READ = {
  kind: "note",
  reason: "transformed",
  rule: "demo",
  tool: "t",
  call: 0,
  start: 5,
  end: 20,
} as const;

function record(
  said: readonly (ContentEvent | [ContentEvent, Partial<EventPlace>])[],
  { contents = false } = {},
): { decisions: DecisionLine[]; request: RequestLine; text: string } {
  const text: string[] = [];
  const watch = recordRequest(FACTS, {
    contents,
    write: (lines) => void text.push(...lines.map((line) => JSON.stringify(line))),
  });
  for (const each of said) {
    const [event, place] = Array.isArray(each) ? each : [each, {}];
    watch.observe(event, { choice: 0, isSent: false, ...place });
  }
  watch.end(OUTCOME);
  const lines = text.map((line) => JSON.parse(line));
  return { decisions: lines.slice(0, -1), request: lines.at(-1), text: text.join("\n") };
}

Deno.test("recordRequest writes a line for the decision and one for the request", () => {
  const { decisions, request, text } = record([...CALL, [READ, { source: 'call hunter2 {"a":1}' }]]);
  assert.equal(decisions.length, 1);
  const [line] = decisions;
  assert.deepEqual(
    [line?.outcome, line?.reason, line?.confidence, line?.start, line?.end, line?.argumentCharacters],
    ["transformed", "transformed", 0.9, 5, 20, 28],
  );
  assert.match(line?.hash ?? "", /^[0-9a-f]{16}$/);
  assert.deepEqual(
    [request.kind, request.time, request.durationMs, request.candidates, request.transformed],
    ["request", "1970-01-01T00:00:00.000Z", 12.346, 1, 1],
  );
  assert.equal(request.model, "m [redacted]");
  assert.ok(!text.includes("hunter2") && !text.includes("key-12345678"), text);
});

Deno.test("recordRequest lets the last word about a call count and keeps where it stood", () => {
  const refused = { ...READ, reason: "unwritable", start: 0, end: 3, detail: "content" } as const;
  const { decisions, request } = record([...CALL, READ, [refused, { isSent: true }]]);
  assert.deepEqual(
    decisions.map(({ outcome, reason, detail, start, end }) => [outcome, reason, detail, start, end]),
    [["abstained", "unwritable", "content", 5, 20]],
  );
  assert.deepEqual([request.candidates, request.transformed], [1, 0]);
});

Deno.test("recordRequest keeps repairs beside the decision, and leaves out offsets that count what was sent", () => {
  const repair = { ...READ, reason: "json_repaired", start: 0, end: 0 } as const;
  const sent = { ...READ, reason: "one_call_only", call: 1, start: 3, end: 9 } as const;
  const { decisions } = record([...CALL, READ, repair, [sent, { isSent: true }]]);
  assert.deepEqual(decisions.map(({ outcome, reason, start }) => [outcome, reason, start]), [
    ["transformed", "transformed", 5],
    ["repaired", "json_repaired", null],
    ["abstained", "one_call_only", null],
  ]);
});

Deno.test("recordRequest calls a broken call failed", () => {
  const { decisions } = record([CALL[0], { kind: "call_abort", call: 0, reason: "truncated" }]);
  assert.deepEqual(decisions.map(({ outcome, reason, tool, start }) => [outcome, reason, tool, start]), [
    ["failed", "truncated", "t", null],
  ]);
});

Deno.test("recordRequest writes contents only when asked, and then without secrets", () => {
  const said = [...CALL, [READ, { source: "<p>hunter2</p> Bearer abcdefgh" }]] as [
    ContentEvent,
    EventPlace,
  ][];
  const { decisions, text } = record(said, { contents: true });
  assert.equal(decisions[0]?.original, "<p>[redacted]</p> Bearer [redacted]");
  assert.equal(decisions[0]?.rendered, '{"password":"[redacted]","a":1}');
  assert.ok(!text.includes("hunter2"));
  assert.equal(record(said).decisions[0]?.original, undefined);
});

Deno.test("recordRequest bounds the lines of one request and says how many it left out", () => {
  const refusals = Array.from({ length: 1200 }, (_, index) => {
    return { kind: "note", reason: "unknown_tool", rule: "demo", start: index, end: index + 1 } as const;
  });
  const { decisions, request } = record(refusals);
  assert.deepEqual([decisions.length, request.leftOut], [1000, 200]);
});

Deno.test("recordRequest counts no note of a plugin as a candidate", () => {
  const at = { kind: "note", rule: "my_plugin", start: 0, end: 0 } as const;
  const { decisions, request } = record([
    ...CALL,
    READ,
    { ...at, reason: "plugin_changed", call: 0 },
    { ...at, reason: "plugin_failed" },
    { ...at, reason: "plugin_note" },
  ]);
  assert.deepEqual([request.candidates, request.transformed], [1, 1]);
  assert.deepEqual(decisions.map(({ reason, outcome }) => [reason, outcome]), [
    ["transformed", "transformed"],
    ["plugin_changed", "noted"],
    ["plugin_failed", "noted"],
    ["plugin_note", "noted"],
  ]);
});

Deno.test("recordRequest gives each decision the hash of its own text", () => {
  const sources = ["one", "one", "two", "", "one"];
  const refusals = sources.map((source, start): [ContentEvent, Partial<EventPlace>] => [
    { kind: "note", reason: "unknown_tool", rule: "demo", start, end: start + 1 },
    { source },
  ]);
  const [first, second, third, fourth, fifth] = record(refusals).decisions.map(({ hash }) => hash);
  assert.deepEqual([second, fifth], [first, first]);
  assert.equal(new Set([first, third, fourth]).size, 3);
});
