import assert from "node:assert/strict";
import { announcedMarks } from "../../../src/analysis/derive/probe.ts";

const CALL = '{"name": "look", "arguments": {"path": "a"}}';

Deno.test("announcedMarks finds the word that touches the calls in the instructions", () => {
  const prompt =
    'Calls are a list, formatted as tools[{"name": [function name], "arguments": [arguments]}, ...].';
  assert.deepEqual(announcedMarks(CALL, prompt), { head: "tools[", tail: "]" });
});

Deno.test("announcedMarks finds a tag and its closing tag", () => {
  const prompt = 'Answer with <act>{"name": "a function", "arguments": {}}</act>.';
  assert.deepEqual(announcedMarks(CALL, prompt), { head: "<act>", tail: "</act>" });
});

Deno.test("announcedMarks finds nothing where nothing touches the call, or the template writes marks", () => {
  assert.equal(announcedMarks(CALL, 'Respond in the format {"name": function name}.'), undefined);
  assert.equal(announcedMarks(CALL, 'The tools: list[{"type": "function"}]'), undefined);
  assert.equal(announcedMarks(`<go>${CALL}</go>`, 'as tools[{"name": "f"}]'), undefined);
});
