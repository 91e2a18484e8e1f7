import assert from "node:assert/strict";
import { wrapText } from "../../src/cli/wrap.ts";

Deno.test("wrapText breaks at spaces and keeps long words whole", () => {
  assert.equal(wrapText("one two three", 7), "one two\nthree");
  assert.equal(wrapText("incomprehensible yes", 5), "incomprehensible\nyes");
  assert.equal(wrapText("", 5), "");
});
