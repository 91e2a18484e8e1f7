import assert from "node:assert/strict";
import { listedTools, systemText } from "../../../src/chat/client/prompt.ts";
import { shippedClient } from "../../support/client_files.ts";

const roo = shippedClient("roo");

Deno.test("systemText joins the leading system messages, else takes the first user message", () => {
  const cases: [unknown[], string][] = [
    [
      [{ role: "system", content: "a" }, { role: "developer", content: "b" }, { role: "user", content: "c" }],
      "a\nb",
    ],
    [
      [{ role: "user", content: "c" }, { role: "system", content: "late" }, { role: "user", content: "d" }],
      "c",
    ],
    [[{ role: "assistant", content: "x" }, { role: "user", content: "c" }], "c"],
    [
      [{ role: "system", content: [{ type: "text", text: "a" }, { type: "image_url" }, { text: "b" }] }],
      "a\n\nb",
    ],
    [[{ role: "system", content: null }], ""],
    [[null, 5], ""],
    [[], ""],
  ];
  for (const [messages, expected] of cases) {
    const request: Record<string, unknown> = { messages };
    assert.equal(systemText(request), expected);
  }
});

function documented(prompt: string, tool: string, client = roo): string[] | undefined {
  const names = listedTools(prompt, client).get(tool);
  return names === undefined ? undefined : [...names];
}

Deno.test("listedTools takes only known tools and exact headings", () => {
  const prompt =
    "# Tools\n## read_file\n## my_tool\n## constructor\n## Read_File\n## list_files now\n### search_files\n";
  assert.deepEqual([...listedTools(prompt, roo).keys()], ["read_file"]);
});

Deno.test("listedTools reads long prompts in time proportional to them", () => {
  const parts = [
    "x ".repeat(500_000),
    "# Tools\n",
    "<a".repeat(300_000),
    "\n## read_file\n",
    "- a:\n".repeat(100_000),
  ];
  assert.deepEqual(documented(parts.join("\n"), "read_file"), ["a"]);
});
