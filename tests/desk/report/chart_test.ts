import assert from "node:assert/strict";
import { barChart, stackedChart } from "../../../src/desk/report/chart.ts";
import type { Row } from "../../../src/desk/report/report.ts";

const widthsOf = (html: string) =>
  [...html.matchAll(/<rect [^>]*width="([\d.]+)%"/g)].map(([, width]) => Number(width));

Deno.test("barChart draws the longest bar over the whole width and the others in proportion", () => {
  const html = barChart([
    { name: "a", value: 10, label: "ten" },
    { name: "b<", value: 5, label: "five", remark: "half & half" },
  ]);
  assert.deepEqual(widthsOf(html), [100, 50]);
  for (const text of [">b&lt;<", ">five<", ">half &amp; half<"]) assert.ok(html.includes(text), text);
  assert.equal(barChart([]), "<p>Nothing to show</p>");
});

Deno.test("barChart states how many bars it leaves out", () => {
  const html = barChart(Array.from({ length: 33 }, (_, value) => ({ name: `n${value}`, value, label: "" })));
  assert.equal(html.match(/<li>/g)?.length, 30);
  assert.ok(html.includes("3 more are not shown"));
});

Deno.test("stackedChart draws the parts of a row one after another, and states them in words", () => {
  const rows = [{ name: "x", candidates: 4 }, { name: "none", candidates: 0 }] as unknown as Row[];
  const html = stackedChart(rows, [
    { name: "made", color: "made", of: () => 3 },
    { name: "broken", color: "broke", of: () => 1 },
    { name: "left", color: "left", of: () => 0 },
  ]);
  assert.ok(html.includes('<rect class="made" x="0%" width="75%"'));
  assert.ok(html.includes('<rect class="broke" x="75%" width="25%"'));
  assert.ok(html.includes("<small>3 made, 1 broken</small>"));
  assert.ok(!html.includes(">none<"));
});
