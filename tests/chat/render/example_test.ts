import assert from "node:assert/strict";
import { recognize } from "../../../src/chat/client/recognize.ts";
import { missingInClient, writeClientExample } from "../../../src/chat/render/example.ts";
import { shippedClients } from "../../support/client_files.ts";
import { CLINE_PROMPT, rooPrompt } from "../../support/prompts.ts";

function recognized(prompt: string) {
  const found = recognize(
    { messages: [{ role: "system", content: prompt }] },
    new Headers(),
    shippedClients(),
  );
  assert.ok(found);
  return found;
}

const roo = recognized(rooPrompt({ hasArgs: true, hasLineCount: true }));
const cline = recognized(CLINE_PROMPT);

Deno.test("writeClientExample has an example of every tool that a prompt lists", () => {
  for (const found of [roo, cline]) {
    for (const name of found.offered.names) {
      assert.ok(writeClientExample(name, found)?.startsWith(`<${name}>\n`), name);
    }
  }
});

Deno.test("missingInClient names what a call lacks under all its names", () => {
  const cases: [string, Record<string, unknown>, string[]][] = [
    ["write_to_file", {}, ["path", "content"]],
    ["write_to_file", { filename: "a", content: "" }, []],
    ["read_file", { files: ["a"] }, []],
    ["read_file", { path: "a" }, []],
    ["read_file", { other: "a" }, ["args"]],
  ];
  for (const [tool, args, missing] of cases) {
    assert.deepEqual(missingInClient({ tool, arguments: args }, roo), missing, tool);
  }
});
