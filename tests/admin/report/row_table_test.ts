import assert from "node:assert/strict";
import { rowTable } from "../../../src/admin/report/row_table.ts";
import type { Row } from "../../../src/admin/report/report.ts";
import { emptyTally, figuresOf } from "../../../src/admin/tally/tally.ts";

const row = (name: string): Row => ({ name, ...figuresOf({ ...emptyTally(), requests: 4, errors: 1 }) });
const options = { title: "Models", head: "Model", columns: ["requests", "errorRate", "first"] } as const;

Deno.test("rowTable names each cell's column and row", () => {
  const html = rowTable([row("a<b")], options);
  assert.ok(html.startsWith('<table role="table" aria-label="Models">'));
  assert.ok(html.includes('<th role="rowheader" scope="row">a&lt;b</th>'));
  for (
    const [head, text] of [["Requests", "4"], ["Error rate", "25.0%"], ["First token, p50", "–"]] as const
  ) {
    assert.ok(html.includes(`<th role="columnheader" scope="col">${head}</th>`), head);
    assert.ok(html.includes(`<td role="cell" data-head="${head}">${text}</td>`), head);
  }
});

Deno.test("rowTable shows 50 rows and states how many it leaves out", () => {
  const html = rowTable(Array.from({ length: 53 }, (_, number) => row(`m${number}`)), options);
  assert.equal(html.match(/<tr /g)?.length, 51);
  assert.ok(html.includes("3 more not shown"));
  assert.equal(rowTable([], options), "");
});
