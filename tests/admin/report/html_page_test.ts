import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { POLICY, STYLE } from "../../../src/admin/report/html_page.ts";

Deno.test("POLICY allows the style sheet and nothing else", () => {
  const hash = createHash("sha256").update(STYLE).digest("base64");
  assert.equal(POLICY, `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
});
