import assert from "node:assert/strict";
import { PatternError } from "../../../src/engine/pattern/problem.ts";

Deno.test("PatternError has its problem's message", () => {
  const error = new PatternError({ code: "pattern_syntax", offset: 0, length: 1, message: "Cannot read it" });
  assert.equal(error.message, "Cannot read it");
  assert.equal(error.problem.code, "pattern_syntax");
});
