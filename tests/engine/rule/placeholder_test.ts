import assert from "node:assert/strict";
import { fill } from "../../../src/engine/rule/placeholder.ts";

Deno.test("fill replaces each word once, and no word of a value", () => {
  assert.equal(fill("{a}{b}{a}", { a: "{b} $& \\{", b: "B" }), "{b} $& \\{B{b} $& \\{");
  assert.equal(fill('\\{a} {unknown} {"a": 1}', { a: "x" }), '{a} {unknown} {"a": 1}');
});
