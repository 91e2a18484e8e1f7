import assert from "node:assert/strict";
import { markdownOf } from "../../../src/engine/rule/markdown.ts";

Deno.test("markdownOf knows the structures of Markdown that an opaque rule names", () => {
  assert.equal(markdownOf({ body: "opaque", pattern: "{indented_code}" }), "indented_code");
  assert.equal(markdownOf({ body: "opaque", pattern: "{tool}" }), undefined);
  assert.equal(markdownOf({ body: "opaque", pattern: "`{fence}`" }), undefined);
  assert.equal(markdownOf({ body: "text", pattern: "{fence}" }), undefined);
});
