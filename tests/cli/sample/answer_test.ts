import assert from "node:assert/strict";
import { SAMPLE_MODELS, writeAnswer } from "../../../src/cli/sample/answer.ts";

const tools = [{
  type: "function",
  function: { name: "write_file", parameters: { required: ["path", "content"] } },
}];

Deno.test("writeAnswer writes a call in the dialect of the model that is asked for", () => {
  const marks: Record<string, string> = {
    "sample": "<function=write_file>\n<parameter=path>\ndragoman-sample.txt\n</parameter>",
    "sample-qwen-xml": "<function=write_file>",
    "sample-hermes": '{"name": "write_file", "arguments": {"path":"dragoman-sample.txt"',
    "sample-fenced-json": '```json\n{"name": "write_file"',
    "sample-shell": "```bash\nls -la\n```",
    "sample-text": "Dragoman",
    "unknown-model": "<function=write_file>",
  };
  for (const [model, mark] of Object.entries(marks)) {
    assert.ok(writeAnswer({ model, tools }).includes(mark), model);
  }
  assert.deepEqual(SAMPLE_MODELS.filter((model) => !(model in marks)), []);
});

Deno.test("writeAnswer says what it is and how to get a real model where no tool is offered", () => {
  const text = writeAnswer({ model: "sample", messages: [{ role: "user", content: "hi" }] });
  assert.match(text, /sample model.*--upstream/);
});

Deno.test("writeAnswer comes to an end after a tool's result", () => {
  assert.match(writeAnswer({ tools, messages: [{ role: "tool", content: "x" }] }), /^Done/);
});
