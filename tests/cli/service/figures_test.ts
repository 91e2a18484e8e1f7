import assert from "node:assert/strict";
import { openFigures } from "../../../src/cli/service/figures.ts";
import { decisionLine, requestLine } from "../../support/audit_lines.ts";

Deno.test("openFigures sums lines since the start, and over time for what the query names", () => {
  const figures = openFigures();
  figures.add([decisionLine("transformed"), requestLine()]);
  figures.add([requestLine({ model: "large" })]);
  const requestsOf = (query: string) => {
    const { all, timeline: { columns, points } } = figures.read(new URLSearchParams(query));
    const column = columns.indexOf("requests") + 1;
    return [all.requests, points.reduce((sum, point) => sum + point[column]!, 0)];
  };
  assert.deepEqual(requestsOf(""), [2, 2]);
  assert.deepEqual(requestsOf("model=large"), [2, 1]);
  assert.deepEqual(requestsOf("rule=qwen_xml"), [2, 0]);
});
