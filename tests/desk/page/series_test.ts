import assert from "node:assert/strict";
import { ratio, seriesOf } from "../../../src/desk/page/series.ts";

const MINUTE = 60_000;

Deno.test("seriesOf adds minutes up to steps without gaps, and drops what is before the range", () => {
  const timeline = {
    bucketMs: MINUTE,
    now: 61 * MINUTE + 5,
    columns: ["requests", "errors"],
    points: [[1, 9, 9], [50, 1, 0], [54, 2, 1], [55, 4, 0], [61, 8, 0]].map((
      [at, ...sums],
    ) => [at! * MINUTE, ...sums]),
  };
  const { times, steps } = seriesOf(timeline, { rangeMs: 15 * MINUTE, stepMs: 5 * MINUTE });
  assert.deepEqual(times, [50 * 60, 55 * 60, 60 * 60]);
  // The last step isn't over: its sums would look like a fall.
  assert.deepEqual(steps, [{ requests: 3, errors: 1 }, { requests: 4, errors: 0 }, null]);
  const range = { rangeMs: 15 * MINUTE, stepMs: 5 * MINUTE };
  // Before the start, nothing is known; a server that has just started has nothing but the running step.
  assert.deepEqual(seriesOf(timeline, { ...range, since: 56 * MINUTE }).steps, [null, {
    requests: 4,
    errors: 0,
  }, null]);
  const fresh = seriesOf(timeline, { ...range, since: 61 * MINUTE }).steps;
  assert.deepEqual(fresh, [null, null, { requests: 8, errors: 0 }]);
});

Deno.test("ratio is null without a divisor", () => {
  assert.equal(ratio(1, 4, 100), 25);
  assert.equal(ratio(1, 0), null);
  assert.equal(ratio(undefined, 3), null);
});
