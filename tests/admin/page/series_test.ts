import assert from "node:assert/strict";
import { seriesOf, type TimeRange } from "../../../src/admin/page/views/figures.ts";

const MINUTE = 60_000;

Deno.test("seriesOf adds minutes up to steps without gaps, and drops what is before the range", () => {
  const timeline = {
    bucketMs: MINUTE,
    now: 61 * MINUTE + 5,
    columns: ["requests", "errors"] as const,
    points: [[1, 9, 9], [50, 1, 0], [54, 2, 1], [55, 4, 0], [61, 8, 0]].map((
      [at, ...sums],
    ) => [at! * MINUTE, ...sums]),
  };
  const range = { rangeMs: 15 * MINUTE, stepMs: 5 * MINUTE };
  const sums = (range: TimeRange) =>
    seriesOf(timeline, range).steps.map((step) => step && { requests: step.requests, errors: step.errors });
  const { times, steps } = seriesOf(timeline, range);
  assert.deepEqual(times, [50 * 60, 55 * 60, 60 * 60]);
  // The last step isn't over: its sums would look like a fall.
  assert.equal(steps[0]?.errorRate, 1 / 3);
  assert.deepEqual(sums(range), [{ requests: 3, errors: 1 }, { requests: 4, errors: 0 }, null]);
  // Before the start, nothing is known; a server that has just started has nothing but the running step.
  assert.deepEqual(sums({ ...range, since: 56 * MINUTE }), [null, {
    requests: 4,
    errors: 0,
  }, null]);
  const fresh = sums({ ...range, since: 61 * MINUTE });
  assert.deepEqual(fresh, [null, null, { requests: 8, errors: 0 }]);
});
