import assert from "node:assert/strict";
import { trace } from "../../src/cli/trace.ts";
import type { VerbInput } from "../../src/cli/verb.ts";
import { createTestWorld } from "../support/world.ts";

const ANSWER = 'Hi.\n<tool_call>\n{"name": "f", "arguments": {"a": 1,}}\n</tool_call>\n' +
  "`<function=g><parameter=a>1</parameter></function>`";

async function run(stdin: string, values: VerbInput["values"] = {}) {
  const world = createTestWorld({ stdin });
  const code = await trace.run({ values, positionals: [] }, world);
  return { code, ...world.printed };
}

Deno.test("trace prints a table of every candidate and a summary", async () => {
  const { code, stdout } = await run(ANSWER);
  assert.equal(code, 0);
  const rows = stdout.split("\n").map((line) => line.split(/ {2,}/));
  assert.deepEqual(rows[0], ["place", "text", "rule", "tool", "decision", "reason"]);
  assert.deepEqual(rows[1]?.slice(2), ["hermes", "f", "call", "transformed"]);
  assert.deepEqual(rows[2]?.slice(2), ["hermes", "f", "note", "json_repaired (trailing comma)"]);
  assert.deepEqual(rows[3]?.slice(2), ["qwen_xml", "g", "text", "quoted"]);
  assert.deepEqual([rows[1]?.[0], rows[3]?.[0]], ["2:1", "5:2"]);
  assert.ok(
    stdout.includes("\n2 candidates: 1 made a call, 1 left as text; `dragoman explain json_repaired`"),
    stdout,
  );
});

Deno.test("trace --json prints offsets, line and column", async () => {
  const { stdout } = await run(ANSWER, { json: true });
  const [first] = JSON.parse(stdout);
  const { line, column, start, rule, tool, decision, reason } = first;
  assert.deepEqual([line, column, start, rule, tool, decision, reason], [
    2,
    1,
    4,
    "hermes",
    "f",
    "call",
    "transformed",
  ]);
  assert.deepEqual(JSON.parse((await run("Hi.", { json: true })).stdout), []);
});

Deno.test("trace of plain text says that there is no candidate", async () => {
  assert.equal((await run("Hi.")).stdout, "No candidate for a call: everything is text\n");
});
