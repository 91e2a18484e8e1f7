import assert from "node:assert/strict";
import type { Escapes } from "../../../../src/engine/scan/compiled_rule.ts";
import { createUnescape, unescapeText } from "../../../../src/engine/scan/body/unescape.ts";
import { allCuts } from "../../../support/cuts.ts";

const texts: [escapes: Escapes, text: string, decoded: string][] = [
  ["none", "a &lt; b \\n", "a &lt; b \\n"],
  ["entities", "a &lt; b &amp;&amp; c &#39;&#x1F600;&quot;", "a < b && c '😀\""],
  ["entities", "&amp;lt; & &unknown; &#0; &x", "&lt; & &unknown; &#0; &x"],
  ["backslash", 'say \\"hi\\" and\\n\\u00e9', 'say "hi" and\né'],
  ["backslash", "C:\\\\dir \\d", "C:\\dir \\d"],
  ["backslash", "ends with \\", "ends with \\"],
];

for (const [escapes, text, decoded] of texts) {
  Deno.test(`createUnescape reads ${JSON.stringify(text)} with ${escapes}`, () => {
    for (const pieces of allCuts(text)) {
      const unescape = createUnescape(escapes);
      const said = pieces.map((piece) => unescape?.push(piece) ?? piece).join("") + (unescape?.end() ?? "");
      assert.equal(said, decoded);
    }
  });
}

Deno.test("unescapeText decodes a whole text", () => {
  assert.equal(unescapeText("a&amp;b&am", "entities"), "a&b&am");
  assert.equal(unescapeText("a&amp;b", "none"), "a&amp;b");
});
