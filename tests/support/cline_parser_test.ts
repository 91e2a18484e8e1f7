/** The model of Cline's parser against what is recorded of Cline. */
import assert from "node:assert/strict";
import { executeCline, parseCline } from "./cline_parser.ts";

Deno.test("parseCline cuts whitespace off a file's content", () => {
  const [block] = parseCline(
    "<write_to_file>\n<path>a</path>\n<content>\n  x\ny\n\n</content>\n</write_to_file>",
  );
  assert.deepEqual(block, {
    type: "tool_use",
    name: "write_to_file",
    params: { path: "a", content: "x\ny" },
  });
});

Deno.test("parseCline reads a content up to its last closing tag", () => {
  const [block] = parseCline("<write_to_file><path>a</path><content>x</content> y</content></write_to_file>");
  assert.deepEqual(block, {
    type: "tool_use",
    name: "write_to_file",
    params: { path: "a", content: "x</content> y" },
  });
});

Deno.test("parseCline takes the last path inside an element that it does not know", () => {
  const [block] = parseCline(
    "<read_file><args><file><path>a</path></file><file><path>b</path></file></args></read_file>",
  );
  assert.deepEqual(block, { type: "tool_use", name: "read_file", params: { path: "b" } });
});

Deno.test("executeCline decodes a file's content, but not for claude and not for .xml", () => {
  const cases = [
    { path: "a.ts", model: "qwen3", content: "a < b 'c'" },
    { path: "a.xml", model: "qwen3", content: "a &lt; b &apos;c&apos;" },
    { path: "a.ts", model: "claude-5", content: "a &lt; b &apos;c&apos;" },
  ];
  for (const { path, model, content } of cases) {
    const [block] = parseCline(
      `<write_to_file><path>${path}</path><content>a &lt; b &apos;c&apos;</content></write_to_file>`,
    );
    assert.ok(block);
    assert.equal(executeCline(block, model).effective.content, content);
  }
});
