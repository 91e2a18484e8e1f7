import assert from "node:assert/strict";
import { escapeHtml, percent } from "../../src/report/format.ts";

Deno.test("percent writes one digit, and a dash where there is no rate", () => {
  assert.deepEqual([percent(0.125), percent(1), percent(null)], ["12.5 %", "100.0 %", "–"]);
});

Deno.test("escapeHtml leaves no markup", () => {
  assert.equal(escapeHtml(`<a b="c">&`), "&lt;a b=&quot;c&quot;&gt;&amp;");
});
