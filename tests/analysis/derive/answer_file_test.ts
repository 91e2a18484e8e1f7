import assert from "node:assert/strict";
import { readAnswers } from "../../../src/analysis/derive/answer_file.ts";

Deno.test("readAnswers reads a record, records on lines, and text", () => {
  const record = {
    text: "x",
    tools: [{ type: "function", function: { name: "a", parameters: { type: "object" } } }],
  };
  const tools = [{ name: "b" }];
  assert.deepEqual(readAnswers(JSON.stringify(record), tools), [
    { text: "x", tools: [{ name: "a", schema: { type: "object" } }] },
  ]);
  const lines = `${JSON.stringify(record)}\n${JSON.stringify({ text: "y" })}\n`;
  assert.deepEqual(readAnswers(lines, tools).map(({ text }) => text), ["x", "y"]);
  assert.deepEqual(readAnswers('{"name": "a"}', tools), [{ text: '{"name": "a"}', tools }]);
});
