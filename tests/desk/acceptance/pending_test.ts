import assert from "node:assert/strict";
import { PendingCalls } from "../../../src/desk/acceptance/pending.ts";

const CALL = { answer: "a", rule: "r", tool: "t", id: "c" };

Deno.test("PendingCalls keeps the calls of the latest answer of each conversation", () => {
  const pending = new PendingCalls();
  pending.put("one", [CALL]);
  pending.put("two", [{ ...CALL, id: "d" }]);
  pending.put("one", [{ ...CALL, id: "e" }]);
  assert.deepEqual([...pending.of("one"), ...pending.of("two")].map(({ id }) => id), ["e", "d"]);
  pending.put("one", []);
  assert.deepEqual(pending.of("one"), []);
});

Deno.test("PendingCalls is bounded and forgets the oldest conversation first", () => {
  const pending = new PendingCalls();
  for (let number = 0; number <= 10_000; number++) pending.put(`${number}`, [CALL]);
  assert.deepEqual([pending.of("0").length, pending.of("1").length, pending.of("10000").length], [0, 1, 1]);
  pending.put("many", Array.from({ length: 1000 }, () => CALL));
  assert.equal(pending.of("many").length, 128);
});
