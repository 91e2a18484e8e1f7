import assert from "node:assert/strict";
import { summaryOf } from "../../../../src/desk/page/views/chart.ts";

Deno.test("summaryOf states the last value of each line", () => {
  const lines = [
    { name: "Leaks", color: "warn", values: [1, 2, null] },
    { name: "Accepted", color: "good", values: [null, null] },
  ];
  assert.equal(summaryOf(lines, (value) => `${value} %`), "Leaks: last 2 %; Accepted: no value");
});
