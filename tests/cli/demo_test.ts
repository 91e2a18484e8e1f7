import assert from "node:assert/strict";
import { demo } from "../../src/cli/demo.ts";
import { createTestContext } from "../support/context.ts";

Deno.test("demo shows what every kind of client gets and leaves nothing running", async () => {
  const context = createTestContext();
  assert.equal(await demo.run({ values: {}, positionals: [] }, context), 0);
  const { stdout, stderr } = context.printed;
  assert.equal(stderr, "");
  const [, ...parts] = stdout.split(/^\d\. /m);
  assert.deepEqual(
    parts.map((part) => /finish_reason (\w+)/.exec(part)?.[1]),
    ["tool_calls", "tool_calls", "stop", "stop", "tool_use", "completed", "STOP", "stop"],
  );
  const [plain = "", streamed = "", roo = "", cline = "", ...wires] = parts;
  for (const part of wires) assert.ok(part.includes('├ call read_file {"path":"README.md","line":1}'), part);
  assert.ok(plain.includes('├ call read_file {"path":"README.md","line":1}'), plain);
  assert.ok(streamed.includes("├ call write_file {") && streamed.includes("in these deltas"), streamed);
  assert.ok(roo.includes("```json") && roo.includes("│ <args>"), roo);
  assert.ok(cline.includes("<function=list_files>") && cline.includes("│ <list_files>"), cline);
});
