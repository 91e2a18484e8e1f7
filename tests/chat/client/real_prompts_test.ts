/** The system prompts that the clients really send list exactly the tools that they offer. */
import assert from "node:assert/strict";
import { listedTools } from "../../../src/chat/client/prompt.ts";
import { recognize } from "../../../src/chat/client/recognize.ts";
import { shippedClient, shippedClients } from "../../support/client_files.ts";
import { isSharedAbsent, sharedPrompts } from "../../support/shared_prompts.ts";

/** Lines of a prompt that mean something in the list of tools, as a user's own instructions may hold them. */
const LINES = [
  "====",
  "=======",
  "# Tools",
  "## TOOLS",
  "## browser_action",
  "**web_fetch** — Fetches a page.",
  "# Tool Use Guidelines",
  "# Tool Use Formatting",
  "# Tool Use Examples",
  "<actual_tool_name>",
  "<insert_content>",
  "## RULES",
  "You are Cline and you set requires_approval.",
];

const ignore = isSharedAbsent;

Deno.test("listedTools reads exactly the tools of every real prompt", { ignore }, () => {
  for (const { file, client, text, tools } of sharedPrompts()) {
    assert.deepEqual([...listedTools(text, shippedClient(client)).keys()], tools, file);
    const windows = text.replaceAll("\n", "\r\n");
    assert.deepEqual([...listedTools(windows, shippedClient(client)).keys()], tools, `CRLF: ${file}`);
  }
});

Deno.test("listedTools reads the same tools whatever the user's own instructions hold", { ignore }, () => {
  for (const { file, client, text, tools } of sharedPrompts()) {
    for (const line of [...LINES, LINES.join("\n"), LINES.toReversed().join("\n\n")]) {
      for (const prompt of [`${text}\n${line}\n`, `${line}\n\n${text}`]) {
        assert.deepEqual([...listedTools(prompt, shippedClient(client)).keys()], tools, `${file}: ${line}`);
      }
    }
  }
});

Deno.test("recognize knows the client of every real prompt without its headers", { ignore }, () => {
  for (const { file, client, text, tools } of sharedPrompts()) {
    const request = { messages: [{ role: "system", content: text }, { role: "user", content: "Go" }] };
    const found = recognize(request, new Headers(), shippedClients());
    assert.equal(found?.client.client, client, file);
    assert.deepEqual(found?.offered.names, tools, file);
  }
});
