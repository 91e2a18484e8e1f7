import assert from "node:assert/strict";
import { fisher, mcnemar, wilson } from "../../../src/analysis/evaluate/statistics.ts";

Deno.test("wilson: what passes prove", () => {
  // All of 5, 10, 20 and 80: the figures that a report may state.
  const lows = [5, 10, 20, 80].map((n) => Math.round(wilson(n, n).low * 100));
  assert.deepEqual(lows, [57, 72, 84, 95]);
  const { low, high } = wilson(10, 40);
  assert.deepEqual([Math.round(low * 100), Math.round(high * 100)], [14, 40]);
  assert.deepEqual(wilson(0, 0), { low: 0, high: 1 });
  assert.deepEqual([wilson(0, 9).low, wilson(9, 9).high], [0, 1]);
});

Deno.test("mcnemar and fisher agree with their tables", () => {
  assert.equal(mcnemar(0, 0), 1);
  assert.ok(Math.abs(mcnemar(5, 0) - 0.0625) < 1e-9);
  assert.ok(Math.abs(mcnemar(30, 0) - 2 / 2 ** 30) < 1e-12);
  assert.ok(Math.abs(mcnemar(8, 2) - 0.109375) < 1e-9);
  assert.ok(Math.abs(fisher({ k: 3, n: 3, otherK: 0, otherN: 15 }) - 1 / 816) < 1e-9);
  assert.ok(Math.abs(fisher({ k: 8, n: 10, otherK: 1, otherN: 6 }) - 0.0244755) < 1e-6);
  assert.equal(fisher({ k: 0, n: 4, otherK: 0, otherN: 4 }), 1);
});
