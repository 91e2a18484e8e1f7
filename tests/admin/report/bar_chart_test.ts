import assert from "node:assert/strict";
import { barChart } from "../../../src/admin/report/bar_chart.ts";

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
  assert.ok(html.includes("3 more not shown"));
});

Deno.test("barChart draws the parts of a bar one after another, with a legend", () => {
  const parts = [
    { name: "made", color: "good", value: 3 },
    { name: "broken", color: "bad", value: 1 },
    { name: "left", color: "warn", value: 0 },
  ];
  const html = barChart([{ name: "x", value: 4, label: "4", parts }]);
  assert.ok(html.includes('<rect fill="var(--good)" x="0%" width="75%"'));
  assert.ok(html.includes('<rect fill="var(--bad)" x="75%" width="25%"'));
  assert.match(html, /aria-label="Colors">.*made.*broken.*left/);
});
