import assert from "node:assert/strict";
import { listedTools, systemText } from "../../../src/chat/client/prompt.ts";
import { clientSchema } from "../../../src/chat/client/schema.ts";
import { shippedClient } from "../../support/client_files.ts";
import { CLINE_COMPACT_PROMPT, CLINE_PROMPT, rooPrompt } from "../../support/prompts.ts";

const roo = shippedClient("roo");
const cline = shippedClient("cline");

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

Deno.test("listedTools reads each tool's parameters from its own section", () => {
  const prompt = rooPrompt({ hasArgs: true, hasLineCount: true });
  assert.ok(documented(prompt, "read_file")?.includes("args"));
  assert.ok(!documented(prompt, "apply_diff")?.includes("args"));
  assert.ok(documented(prompt, "write_to_file")?.includes("line_count"));
  assert.ok(documented(CLINE_PROMPT, "read_file", cline)?.includes("task_progress"));
  assert.ok(!documented(CLINE_PROMPT, "execute_command", cline)?.includes("task_progress"));
  assert.ok(documented(CLINE_COMPACT_PROMPT, "execute_command", cline)?.includes("requires_approval"));
});

Deno.test("listedTools does not look outside the section", () => {
  const prompt = rooPrompt({ hasArgs: false, hasLineCount: false });
  assert.equal(documented(prompt, "browser_action"), undefined);
  assert.equal(documented(prompt, "update_todo_list"), undefined);
  assert.equal(documented(CLINE_PROMPT, "write_to_file", cline), undefined);
  assert.equal(listedTools("## read_file\n- path: (required)\n", roo).size, 0);
  assert.equal(listedTools("  # Tools\n\n## read_file\n", roo).size, 0);
});

Deno.test("listedTools takes only known tools and exact headings", () => {
  const prompt =
    "# Tools\n## read_file\n## my_tool\n## constructor\n## Read_File\n## list_files now\n### search_files\n";
  assert.deepEqual([...listedTools(prompt, roo).keys()], ["read_file"]);
});

Deno.test("listedTools reads a heading with any rest only where the template says so", () => {
  const client = clientSchema.parse({
    client: "mine",
    writes: "text",
    recognize: { tools_section: [{ heading: "TOOLS", tool: ["* {tool}: …"], ends: ["END"] }] },
    tools: { look: {}, walk: {}, run: {} },
  });
  assert.deepEqual([...listedTools("TOOLS\n* look: at it\n* walk\nEND\n* run: x", client).keys()], ["look"]);
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
