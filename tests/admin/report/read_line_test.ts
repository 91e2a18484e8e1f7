import assert from "node:assert/strict";
import type { AuditLine } from "../../../src/admin/audit/line.ts";
import { reportPage } from "../../../src/admin/report/page.ts";
import { readLine } from "../../../src/admin/report/read_line.ts";
import { ReportBuilder } from "../../../src/admin/report/report.ts";
import { decisionLine, requestLine, resultLine } from "../../support/audit_lines.ts";

const DECISION = decisionLine("quoted");

Deno.test("readLine reads each kind of line", () => {
  const gap: AuditLine = { v: 1, kind: "gap", lost: 3 };
  for (const line of [DECISION, requestLine(), resultLine("accepted"), gap]) {
    assert.deepEqual(readLine(JSON.stringify(line)), line);
  }
});

Deno.test("readLine refuses a line that can't be counted, so that a report on it is still whole", () => {
  const odd: readonly unknown[] = [
    "{",
    [],
    null,
    { ...requestLine(), v: 2 },
    { ...requestLine(), kind: "constructor" },
    { ...requestLine(), kind: { toString: 1 } },
    { ...requestLine(), model: {} },
    { ...requestLine(), model: 5 },
    { ...requestLine(), client: [1] },
    { ...requestLine(), durationMs: undefined },
    { ...requestLine(), addedMs: "x" },
    { ...DECISION, reason: "a_code_of_another_version" },
    { ...DECISION, reason: "constructor" },
    { ...DECISION, tool: 7 },
    { ...resultLine("accepted"), verdict: "maybe" },
    { v: 1, kind: "gap", lost: "3" },
  ];
  const builder = new ReportBuilder();
  builder.add(JSON.stringify(requestLine()));
  for (const line of odd) builder.add(typeof line === "string" ? line : JSON.stringify(line));
  const report = builder.build();
  assert.equal(report.unreadable, odd.length);
  assert.ok(!/NaN|undefined|\[object/.test(reportPage(report)));
});
