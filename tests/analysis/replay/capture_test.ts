import assert from "node:assert/strict";
import { parseCapture } from "../../../src/analysis/replay/capture.ts";

const CAPTURE = {
  v: 1,
  time: "2026-01-01T00:00:00.000Z",
  request: "r",
  client: "openai",
  model: null,
  tools: [{ type: "function", function: { name: "go" } }],
  system: null,
  text: "<go>",
  calls: [],
  refused: [],
};

Deno.test("parseCapture recognizes a capture", () => {
  assert.deepEqual(parseCapture(` ${JSON.stringify(CAPTURE)}`), CAPTURE);
});

Deno.test("parseCapture leaves other texts alone", () => {
  for (const text of ["", "<go>", "{", "{}", JSON.stringify({ ...CAPTURE, v: 2 })]) {
    assert.equal(parseCapture(text), undefined, text);
  }
});
