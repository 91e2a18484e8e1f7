import assert from "node:assert/strict";
import { barChart } from "../../src/report/chart.ts";

Deno.test("barChart draws the longest bar over the whole width and the others in proportion", () => {
  const svg = barChart([{ name: "a", value: 10, label: "ten" }, { name: "b<", value: 5, label: "five" }]);
  const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
  assert.equal(widths.length, 2);
  assert.equal(widths[0], 2 * widths[1]!);
  assert.ok(svg.includes(">b&lt;<"));
  assert.equal(barChart([]), "<p>Nothing to show</p>");
});
