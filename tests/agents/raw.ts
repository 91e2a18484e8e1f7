/**
 * Agents write the nasty file with a real llama.cpp server and `tools: raw`: the template renders the agent's own tools, the
 * server's parser is off, and Dragoman reads the call that the model repeats. What the model repeats is put after the last
 * message before the server gets it, so that the agent and Dragoman don't see it. Run by `deno task test:agents`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { MISSING, startLlama } from "../support/llama_server.ts";
import { FILE_CONTENT, FILE_PATH } from "../support/written_file.ts";
import type { Agent } from "./agent.ts";
import { CODEXES } from "./codex.ts";
import { CONTINUE } from "./continue.ts";
import { isInstalled } from "./folder.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { OPENCODES } from "./opencode.ts";
import { PIS } from "./pi.ts";
import { QWEN_CODES } from "./qwen_code.ts";
import { startPrompter } from "./prompter.ts";
import { report, stage, titleOf } from "./stage.ts";

if (MISSING !== undefined) console.log(MISSING);

const AGENTS: readonly Agent[] = [QWEN_CODES[0]!, OPENCODES[0]!, PIS[0]!, CONTINUE, CODEXES[0]!, GEMINI_CLI];

for (const agent of AGENTS) {
  Deno.test({
    name: `${titleOf(agent)}: writes the file with a real server that is read raw`,
    ignore: !isInstalled(agent.name) || MISSING !== undefined,
    async fn() {
      await using llama = await startLlama();
      const played = await stage({
        agent,
        isThroughProxy: true,
        upstream: { server: "llama.cpp", tools: "raw" },
        cast: (folder) => startPrompter(llama.origin, folder),
      });
      assert.equal(played.files.get(FILE_PATH), FILE_CONTENT, report(played));
      assert.equal(played.code, 0, report(played));
      const chats = played.requests.filter(({ path }) => path === "/v1/chat/completions").map(({ body }) =>
        JSON.parse(body)
      );
      const withTools = chats.filter(({ tools }) => tools?.length > 0);
      assert.ok(withTools.length >= 2, report(played));
      assert.deepEqual(withTools.filter(({ tool_choice }) => tool_choice !== "none"), []);
    },
  });
}
