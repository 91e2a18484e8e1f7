import assert from "node:assert/strict";
import { parseExact } from "../../../src/chat/message/number_spelling.ts";
import { writeJson } from "../../../src/chat/prompt/json_text.ts";

Deno.test("writeJson writes JSON as Python does, compact and indented", () => {
  const value = { a: [1, 'x, y: \\" ,'], b: {}, c: [] };
  assert.equal(writeJson(value, "spaced"), '{"a": [1, "x, y: \\\\\\" ,"], "b": {}, "c": []}');
  assert.equal(writeJson(["\\", "", '"', '\\\\"'], "spaced"), String.raw`["\\", "", "\"", "\\\\\""]`);
  assert.equal(writeJson(value, "compact"), JSON.stringify(value));
  assert.equal(writeJson({ a: [1] }, "indented"), '{\n    "a": [\n        1\n    ]\n}');
  assert.equal(writeJson(undefined, "spaced"), "null");
});

Deno.test("writeJson keeps the spelling of numbers", () => {
  assert.equal(writeJson(parseExact("[1.0,12345678901234567890]"), "spaced"), "[1.0, 12345678901234567890]");
});
