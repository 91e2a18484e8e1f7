/**
 * Real agents write the nasty file through `serve --upstream URL` alone and a real server. Run by `deno task test:servers`; agents
 * that `deno task test:agents` hasn't installed are skipped.
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
import { isInstalled } from "./folder.ts";
import { makeParrot } from "./install.ts";
import { REAL_SERVERS, startServer } from "./start.ts";

const AGENTS = [CLAUDE_CODE, CODEXES[0]!, OPENCODES[0]!, QWEN_CODES[0]!];

const SERVERS = ["vllm", "vllm with a parser", "llama-cpp-python"];

for (const name of SERVERS) {
  Deno.test({
    name: `${name}: agents write the file through it`,
    ignore: !isInstalled(REAL_SERVERS[name]!.environment),
    async fn(test) {
      const parrot = await makeParrot();
      assert(parrot !== undefined, "the parrot can't be made");
      await using server = await startServer(name, parrot);
      for (const agent of AGENTS) {
        await test.step({
          name: titleOf(agent),
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
    },
  });
}
