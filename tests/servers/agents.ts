/**
 * Real agents write the nasty file through `serve --upstream URL` alone and a real server. Agents that
 * `deno task test:agents` hasn't installed are skipped.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CLAUDE_CODE } from "../agents/claude_code.ts";
import { CODEXES } from "../agents/codex.ts";
import { isInstalled as isAgentInstalled } from "../agents/folder.ts";
import { OPENCODES } from "../agents/opencode.ts";
import { startPrompter } from "../agents/prompter.ts";
import { QWEN_CODES } from "../agents/qwen_code.ts";
import { report, stage, titleOf } from "../agents/stage.ts";
import { FILE_CONTENT, FILE_PATH } from "../support/written_file.ts";
import type { RunningServer } from "./start.ts";

const AGENTS = [CLAUDE_CODE, CODEXES[0]!, OPENCODES[0]!, QWEN_CODES[0]!];

/** The servers through which they write it. */
export const WRITTEN_THROUGH: readonly string[] = ["vllm", "vllm with a parser", "llama-cpp-python"];

/** Each agent writes the file through a running server. */
export async function testAgents(test: Deno.TestContext, server: RunningServer): Promise<void> {
  for (const agent of AGENTS) {
    await test.step({
      name: `${titleOf(agent)} writes the file`,
      ignore: !isAgentInstalled(agent.name),
      async fn() {
        const played = await stage({
          agent,
          isThroughProxy: true,
          isServed: true,
          cast: (folder) => startPrompter(server.origin, folder),
        });
        assert.equal(played.files.get(FILE_PATH), FILE_CONTENT, report(played));
        assert.equal(played.code, 0, report(played));
      },
    });
  }
}
