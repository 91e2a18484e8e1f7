import assert from "node:assert/strict";
import { chooseCall } from "../../../src/cli/sample/answer.ts";

function tool(name: string, parameters: Record<string, unknown> = {}) {
  return { type: "function", function: { name, parameters } };
}

const STRINGS = (...names: string[]) => ({
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
});

Deno.test("chooseCall prefers a tool that reads and never takes one that destroys", () => {
  const cases: [tools: string[], expected: string | undefined][] = [
    [["delete_file", "write_file", "read_file"], "read_file"],
    [["delete_file", "write_file"], "write_file"],
    [["bash", "list_dir"], "list_dir"],
    [["delete_file"], undefined],
    [["anything"], "anything"],
  ];
  for (const [names, expected] of cases) {
    assert.equal(chooseCall({ tools: names.map((name) => tool(name)) })?.name, expected, names.join());
  }
});

Deno.test("chooseCall fills what the tool requires with harmless values of the right type", () => {
  const write = chooseCall({ tools: [tool("write_file", STRINGS("file_path", "content"))] });
  assert.equal(write?.arguments.file_path, "dragoman-sample.txt");
  assert.match(String(write?.arguments.content), /a < b && c > d/);
  assert.deepEqual(chooseCall({ tools: [tool("run", STRINGS("command"))] })?.arguments, { command: "ls" });
  const properties = {
    path: { type: "string" },
    limit: { type: ["integer", "null"] },
    deep: { type: "boolean" },
    mode: { enum: ["a", "b"] },
    list: { type: "array" },
    more: { type: "object" },
    optional: { type: "string" },
  };
  const required = ["path", "limit", "deep", "mode", "list", "more"];
  assert.deepEqual(chooseCall({ tools: [tool("read_file", { properties, required })] })?.arguments, {
    path: "README.md",
    limit: 1,
    deep: false,
    mode: "a",
    list: [],
    more: {},
  });
});

Deno.test("chooseCall reads the tool list of a system prompt", () => {
  const system = { role: "system", content: "# Tools\n\n## read_file\nx\n\n## attempt_completion\ny" };
  const asked = chooseCall({ messages: [system, { role: "user", content: "hi" }] });
  assert.deepEqual(asked, { name: "read_file", arguments: { path: "README.md" } });
  const result = { role: "user", content: "[read_file for 'README.md'] Result:\n# Title" };
  assert.equal(chooseCall({ messages: [system, result] })?.name, "attempt_completion");
  assert.equal(chooseCall({ messages: [{ role: "user", content: "hi" }] }), undefined);
});
