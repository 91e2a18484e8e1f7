import assert from "node:assert/strict";
import { listCandidates } from "../../../src/analysis/replay/candidates.ts";
import type { NoteEvent } from "../../../src/engine/event/event.ts";

const note = (fields: Partial<NoteEvent>): NoteEvent => ({
  kind: "note",
  reason: "transformed",
  rule: "r",
  start: 0,
  end: 10,
  ...fields,
});

const decisions = (...events: Parameters<typeof listCandidates>[0]) =>
  listCandidates(events).map(({ start, end, decision, reason }) => [start, end, decision, reason]);

Deno.test("listCandidates tells calls, texts and remarks apart and sorts them by place", () => {
  assert.deepEqual(
    decisions(
      note({ start: 5, call: 0 }),
      note({ start: 5, call: 0, reason: "json_repaired" }),
      note({ start: 1, end: 2, reason: "unknown_tool" }),
    ),
    [[1, 2, "text", "unknown_tool"], [5, 10, "call", "transformed"], [5, 10, "note", "json_repaired"]],
  );
});

Deno.test("listCandidates gives a call that the renderer refused its place in the answer", () => {
  const at = { start: 40, end: 40, call: 0 };
  assert.deepEqual(decisions(note({ start: 5, call: 0 }), note({ ...at, reason: "missing_required" })), [
    [5, 10, "text", "missing_required"],
  ]);
  assert.deepEqual(decisions(note({ start: 5, call: 0 }), note({ ...at, reason: "one_call_only" })), [
    [5, 10, "dropped", "one_call_only"],
  ]);
  assert.deepEqual(decisions(note({ start: 5, call: 0 }), note({ ...at, reason: "value_trimmed" })), [
    [5, 10, "call", "transformed"],
    [5, 10, "note", "value_trimmed"],
  ]);
});

Deno.test("listCandidates says that an announced call broke off", () => {
  const abort = { kind: "call_abort", call: 0, reason: "truncated" } as const;
  assert.deepEqual(decisions(note({ reason: "truncated" }), abort), [[0, 10, "broken off", "truncated"]]);
});

Deno.test("listCandidates keeps a call that a repair or a plugin's note accompanies", () => {
  for (const reason of ["id_missing", "plugin_changed", "plugin_note"] as const) {
    assert.deepEqual(decisions(note({ start: 5, call: 0 }), note({ start: 5, call: 0, reason })), [
      [5, 10, "call", "transformed"],
      [5, 10, "note", reason],
    ]);
  }
});

Deno.test("listCandidates calls a recovered call a call", () => {
  assert.deepEqual(decisions(note({ reason: "recovered", call: 0 })), [[0, 10, "call", "recovered"]]);
});
