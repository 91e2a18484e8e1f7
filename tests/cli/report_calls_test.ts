import assert from "node:assert/strict";
import { callLine } from "../../src/cli/report_calls.ts";
import { decisionLine, requestLine } from "../support/audit_lines.ts";

const text = { isJson: false };

Deno.test("callLine shows a call with what became of it, and its arguments if the log has them", () => {
  const line = decisionLine("transformed", { rendered: '{"path":"a"}', written: "\n<read_file>\n" });
  assert.equal(
    callLine(JSON.stringify(line), text),
    '2026-05-01T10:00:00.000Z  qwen_xml  read_file  transformed  {"path":"a"}  <read_file>\n',
  );
  assert.equal(
    callLine(JSON.stringify(decisionLine("malformed", { tool: "a\x1b" })), text),
    "2026-05-01T10:00:00.000Z  qwen_xml  a\\u001b  malformed\n",
  );
  const object = JSON.parse(callLine(JSON.stringify(line), { isJson: true })!);
  assert.deepEqual([object.tool, object.arguments], ["read_file", '{"path":"a"}']);
});

Deno.test("callLine skips what isn't a call", () => {
  const lines = [requestLine(), decisionLine("quoted"), decisionLine("json_repaired")];
  const texts = [...lines.map((line) => JSON.stringify(line)), "", "{cut"];
  assert.deepEqual(texts.map((line) => callLine(line, text)).filter((line) => line !== undefined), []);
});
