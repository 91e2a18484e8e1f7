import assert from "node:assert/strict";
import { reportPage } from "../../../src/admin/report/page.ts";
import { ReportBuilder } from "../../../src/admin/report/report.ts";
import { auditLog, decisionLine, requestLine } from "../../support/audit_lines.ts";

function page(text: string): string {
  const builder = new ReportBuilder();
  for (const line of text.split("\n")) builder.add(line);
  return reportPage(builder.build());
}

Deno.test("reportPage has the data in its charts and loads nothing", () => {
  const html = page(auditLog());
  assert.equal(html.match(/class="bars"/g)?.length, 7);
  assert.equal(html.match(/class="plot"/g)?.length, 4);
  for (
    const shown of [
      ">4 calls, 4 not converted, 2 left as text<",
      ">05-01<",
      ">2026-05-01<",
      ">unknown_tool<",
      ">80.0%<",
      ">read_file<",
    ]
  ) {
    assert.ok(html.includes(shown), shown);
  }
  assert.ok(!/<script|<link|@import|https?:|src=|style=/.test(html), "self-contained");
  assert.ok(html.length < 32_000, `${html.length} characters`);
});

Deno.test("reportPage escapes names that come from requests", () => {
  const html = page(JSON.stringify(requestLine({ model: '<img onerror="x">&' })));
  assert.ok(!html.includes("<img"));
  assert.ok(html.includes("&lt;img onerror=&quot;x&quot;&gt;&amp;"));
});

Deno.test("reportPage explains reason codes, and no tool that is called as one", () => {
  const html = page(JSON.stringify(decisionLine("transformed", { tool: "unknown_tool" })));
  assert.ok(!html.includes("<small>The text names a tool"));
  assert.ok(page(auditLog()).includes("<small>The text names a tool that the request does not offer"));
});

Deno.test("reportPage says so where there is nothing", () => {
  assert.ok(page("").includes("Nothing to show"));
});
