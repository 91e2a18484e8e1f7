import assert from "node:assert/strict";
import { chartsOf, drawChart } from "../../../src/admin/figures/line_chart.ts";
import { emptyTally, figuresOf } from "../../../src/admin/tally/tally.ts";

const SECONDS = { times: [0, 60, 120, 180, 240], format: (seconds: number) => `${seconds} s` };

Deno.test("drawChart draws a line between gaps, a point alone in them, and the axes", () => {
  const line = { name: "a<b", color: "good", values: [0, 10, null, 5, null] };
  const html = drawChart({ title: "Calls", format: String, atLeast: 10, lines: [line] }, SECONDS);
  // The highest value has five percent above it.
  assert.match(html, /<path d="M0 100L25 4\.76M75 52\.38" stroke="var\(--good\)" stroke-width="2"/);
  assert.match(html, /<path d="M0 100h0M25 4\.76h0M75 52\.38h0" stroke="var\(--good\)" stroke-width="5"/);
  assert.deepEqual([...html.matchAll(/text-anchor="end">(.*?)</g)].map(([, text]) => text), [
    ...["0", "5", "10"],
  ]);
  assert.deepEqual([...html.matchAll(/text-anchor="middle">(.*?)</g)].map(([, text]) => text), [
    ...["0 s", "60 s", "120 s", "180 s", "240 s"],
  ]);
  assert.ok(html.includes('aria-label="Calls. a&lt;b: last 5"') && !html.includes("a<b"));
  assert.ok(html.includes("a&lt;b <strong>5</strong>") && html.includes(">last values<"));
});

Deno.test("drawChart shows the values of the chosen time, and a chart of one time or of nothing", () => {
  const chart = { title: "Calls", format: String, atLeast: 4 };
  const lines = [{ name: "a", color: "good", values: [1, 2, null, 3, 4] }];
  const chosen = (over: number) => drawChart({ ...chart, lines }, { ...SECONDS, over });
  assert.ok(chosen(1).includes("<strong>2</strong>") && chosen(1).includes(">60 s</li>"));
  assert.ok(chosen(1).includes('<line x1="25%" x2="25%" y1="0%" y2="100%"'));
  assert.ok(chosen(2).includes("<strong>–</strong>"));
  const one = drawChart({ ...chart, lines: [{ name: "a", color: "good", values: [4] }] }, {
    ...{ ...SECONDS, times: [60] },
  });
  assert.ok(one.includes('d="M50 4.76"'), one);
  const none = drawChart({ ...chart, lines: [{ name: "a", color: "good", values: [] }] }, {
    ...{ ...SECONDS, times: [] },
  });
  assert.ok(none.includes("a: no value") && !/NaN|Infinity|undefined/.test(none), none);
});

Deno.test("chartsOf has the rates and sums of each step, and for a rule only what rules have", () => {
  const step = figuresOf({ ...emptyTally(), requests: 4, attempts: 4, transformed: 1, wouldTransform: 2 });
  const values = (isRule: boolean) =>
    chartsOf([step, null], { isRule }).flatMap(({ lines }) =>
      lines.map((line) => `${line.name} ${line.values.join()}`)
    );
  assert.deepEqual(values(true), [
    ...["Success 0.75,", "Accepted ,", "Calls 3,", "Reached the agent as text 0,"],
  ]);
  assert.deepEqual(values(false).length, 10);
  assert.ok(values(false).includes("Requests 4,"));
});
