import assert from "node:assert/strict";
import { escapeHtml } from "../../../src/desk/report/escape_html.ts";

Deno.test("escapeHtml leaves no markup", () => {
  assert.equal(escapeHtml(`<a b="c">&`), "&lt;a b=&quot;c&quot;&gt;&amp;");
});
