import assert from "node:assert/strict";
import { POINT_COLUMNS, Timeline, type TimelineFigures } from "../../../src/admin/tally/timeline.ts";
import { decisionLine, requestLine, resultLine } from "../../support/audit_lines.ts";

const MINUTE = 60_000;

function read(
  { points, columns }: TimelineFigures,
  name: TimelineFigures["columns"][number],
): [at: number, value: number][] {
  const column = columns.indexOf(name) + 1;
  return points.map((point) => [point[0]! / MINUTE, point[column]!]);
}

Deno.test("Timeline adds lines to the minute in which they are written, by model and rule as well", () => {
  const timeline = new Timeline();
  timeline.add([decisionLine("transformed"), requestLine()], 5 * MINUTE + 1);
  timeline.add([requestLine({ model: "large", durationMs: 40.4 })], 5 * MINUTE + 2);
  timeline.add([requestLine({ wire: "gemini", key: "alice" }), resultLine("accepted")], 7 * MINUTE);
  timeline.add([], 8 * MINUTE);
  const now = 9 * MINUTE;
  assert.deepEqual(read(timeline.read(undefined, now), "requests"), [[5, 2], [7, 1]]);
  assert.deepEqual(read(timeline.read({ kind: "model", name: "large" }, now), "durationMs"), [[5, 40]]);
  assert.deepEqual(read(timeline.read({ kind: "rule", name: "qwen_xml" }, now), "attempts"), [[5, 1], [
    7,
    0,
  ]]);
  assert.deepEqual(read(timeline.read({ kind: "rule", name: "qwen_xml" }, now), "accepted"), [[5, 0], [
    7,
    1,
  ]]);
  assert.deepEqual(read(timeline.read({ kind: "wire", name: "gemini" }, now), "requests"), [[7, 1]]);
  assert.deepEqual(read(timeline.read({ kind: "key", name: "alice" }, now), "requests"), [[7, 1]]);
  assert.deepEqual(read(timeline.read({ kind: "key", name: "none" }, now), "requests"), [[5, 2], [7, 0]]);
  assert.deepEqual(timeline.read({ kind: "model", name: "other" }, now).points, []);
  assert.deepEqual(timeline.read(undefined, now).columns, POINT_COLUMNS);
});

Deno.test("Timeline forgets what is too old, and counts in its last minute when the clock is set back", () => {
  const timeline = new Timeline({ bucketsMax: 3 });
  for (const minute of [1, 2, 3, 4]) timeline.add([requestLine()], minute * MINUTE);
  timeline.add([requestLine()], 2 * MINUTE);
  assert.deepEqual(read(timeline.read(undefined, 4 * MINUTE), "requests"), [[2, 1], [3, 1], [4, 2]]);
  assert.deepEqual(read(timeline.read(undefined, 6 * MINUTE), "requests"), [[4, 2]]);
});

Deno.test("Timeline drops the names of its oldest minutes if there are too many, and keeps their sums", () => {
  const timeline = new Timeline({ namesMax: 5 });
  for (const minute of [1, 2, 3]) {
    timeline.add(
      [requestLine({ model: `a${minute}` }), requestLine({ model: `b${minute}` })],
      minute * MINUTE,
    );
  }
  const at = (model: string) =>
    read(timeline.read({ kind: "model", name: model }, 3 * MINUTE), "requests").length;
  assert.deepEqual(["a1", "b1", "a2", "b2", "a3", "b3"].map(at), [0, 0, 0, 0, 1, 1]);
  assert.equal(timeline.read(undefined, 3 * MINUTE).points.length, 3);
  // Within one minute, further names are counted nowhere but in all.
  for (let name = 0; name < 5; name++) timeline.add([requestLine({ model: `c${name}` })], 3 * MINUTE);
  assert.equal(at("c4"), 0);
  assert.deepEqual(read(timeline.read(undefined, 3 * MINUTE), "requests").at(-1), [3, 7]);
});
