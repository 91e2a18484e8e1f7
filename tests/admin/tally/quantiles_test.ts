import assert from "node:assert/strict";
import { addTime, quantile, type TimeCounts } from "../../../src/admin/tally/tally.ts";

Deno.test("quantile finds the median and the slowest of many times, at most 5% off, in bounded memory", () => {
  const counts: TimeCounts = new Map();
  assert.equal(quantile(counts, 0.5), null);
  for (let ms = 1; ms <= 100_000; ms++) addTime(counts, ms);
  for (const [share, expected] of [[0.5, 50_000], [0.95, 95_000]] as const) {
    const found = quantile(counts, share)!;
    assert.ok(Math.abs(found / expected - 1) < 0.05, `${share}: ${found}`);
  }
  for (const odd of [0, 0.001, 1e12]) addTime(counts, odd);
  assert.ok(counts.size < 220, `${counts.size}`);
});
