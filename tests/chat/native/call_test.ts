import assert from "node:assert/strict";
import { NATIVE_RULE, NativeCall } from "../../../src/chat/native/call.ts";
import { type NativeEntry, readEntry } from "../../../src/chat/native/entry.ts";

function entry(called: Record<string, unknown>, more: Record<string, unknown> = {}): NativeEntry {
  const read = readEntry({ index: 0, id: "a", type: "function", function: called, ...more });
  assert.ok(read);
  return read;
}

function open(first: NativeEntry): NativeCall {
  return new NativeCall(first, {
    number: 0,
    wholeCalls: false,
    offered: undefined,
    takesId: () => false,
    hasName: () => false,
  });
}

Deno.test("NativeCall says its head once and ends with its last brace", () => {
  const first = entry({ name: "f", arguments: "{" });
  const call = open(first);
  assert.deepEqual(call.add(first), [
    { kind: "call_start", call: 0, tool: "f", rule: NATIVE_RULE, confidence: 1, id: "a" },
    { kind: "arguments", call: 0, raw: "{", repaired: "{" },
  ]);
  assert.deepEqual(call.add(entry({ arguments: "}" }, { id: null })), [
    { kind: "arguments", call: 0, raw: "}", repaired: "}" },
    { kind: "call_end", call: 0 },
  ]);
  assert.equal(call.isComplete, true);
  assert.deepEqual(call.end({ isCut: false }), []);
});

Deno.test("NativeCall notes each flaw once", () => {
  const first = entry({ name: "f", arguments: '{"a":"\ud83d' }, { index: 3, type: null, id: null });
  const call = open(first);
  const events = [
    ...call.add(first),
    ...call.add(entry({ name: "f", arguments: "\ude00" })),
    ...call.end({ isCut: true }),
  ];
  const reasons = events.flatMap((event) => event.kind === "note" ? [event.reason] : []);
  assert.deepEqual(
    reasons,
    ["index_wrong", "type_missing", "surrogate_split", "id_missing", "name_repeated", "truncated"],
  );
});
