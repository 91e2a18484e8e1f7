import assert from "node:assert/strict";
import { ReportBuilder } from "../../../src/admin/report/report.ts";
import { auditLog, decisionLine, requestLine } from "../../support/audit_lines.ts";

function build(text: string) {
  const builder = new ReportBuilder();
  for (const line of text.split("\n")) builder.add(line);
  return builder.build();
}

Deno.test("ReportBuilder gives rates, rules, models, days, modes and reasons", () => {
  const report = build(auditLog());
  assert.deepEqual(report.period, { from: "2026-05-01T10:00:00.000Z", to: "2026-05-02T10:00:19.000Z" });
  const { all } = report;
  assert.deepEqual([
    all.requests,
    all.candidates,
    all.transformed,
    all.wouldTransform,
    all.abstained,
    all.repairs,
  ], [20, 20, 8, 8, 4, 4]);
  assert.deepEqual(
    [all.transformationRate, all.successRate, all.errorRate, all.printedAsTextRate],
    [0.8, 0.8, 0, 1],
  );
  assert.deepEqual(report.rules.map(({ name, candidates }) => [name, candidates]), [["qwen_xml", 16], [
    "hermes",
    4,
  ]]);
  assert.deepEqual(report.models.map(({ name, requests }) => [name, requests]), [["small", 15], [
    "large",
    5,
  ]]);
  assert.deepEqual(report.days.map(({ name, requests }) => [name, requests]), [["2026-05-01", 10], [
    "2026-05-02",
    10,
  ]]);
  assert.deepEqual(
    report.modes.map((
      { name, requests, transformed, wouldTransform },
    ) => [name, requests, transformed, wouldTransform]),
    [["live", 10, 8, 0], ["dry_run", 5, 0, 4], ["excluded", 5, 0, 4]],
  );
  assert.deepEqual(report.abstained, [{ name: "unknown_tool", count: 4 }]);
  assert.deepEqual(report.repaired, [{ name: "json_repaired", count: 4 }]);
  assert.deepEqual(report.tools, [{ name: "read_file", count: 16 }]);
});

Deno.test("ReportBuilder counts errors, broken calls and lost lines, and skips what it cannot read", () => {
  const lines = [
    requestLine({ status: 502, error: "upstream_unreachable" }),
    requestLine({ error: "client_left" }),
    decisionLine("truncated", { outcome: "failed" }),
    decisionLine("transformed"),
    { v: 1, kind: "gap", lost: 7 },
  ].map((line) => JSON.stringify(line));
  const report = build([...lines, "{cut off", '{"v":2,"kind":"request"}', "null", ""].join("\n"));
  assert.deepEqual([report.all.errorRate, report.all.successRate, report.all.failed], [0.5, 0.5, 1]);
  assert.deepEqual([report.lost, report.unreadable], [7, 3]);
  assert.deepEqual(report.broken.map(({ name, count }) => [name, count]), [["truncated", 1]]);
});
