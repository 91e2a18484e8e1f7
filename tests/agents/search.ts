/**
 * Agents whose search tool asks the API's own servers: the model calls it, the agent sends a request that offers only a
 * tool of those servers, and the refusal reaches the model as the tool's result, so that it invents none. Run by
 * `deno task test:agents`, which installs first.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Agent } from "./agent.ts";
import { CLAUDE_CODE } from "./claude_code.ts";
import { resultsOf } from "./conversation.ts";
import { isInstalled } from "./folder.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { searchCall } from "./offered.ts";
import { DIALECTS, isPerson, readRequest } from "./scenario.ts";
import { type Player, report, stage, titleOf } from "./stage.ts";

/** A model that searches once. */
interface Searcher extends Player {
  /** What it got for that. */
  readonly results: readonly string[];
}

function playSearch(): Searcher {
  const results: string[] = [];
  return {
    results,
    script({ body }) {
      const request = readRequest(body);
      results.push(...resultsOf(request));
      const call = searchCall(request.tools ?? [], "deno 2.9");
      if (call === undefined || !isPerson(request.messages?.at(-1))) return { text: "ok" };
      return { text: DIALECTS["Hermes JSON"]!(call) };
    },
  };
}

/** Claude Code that offers its search at once; otherwise the model has to look the tool up first. */
const CLAUDE_CODE_WITH_SEARCH: Agent = {
  ...CLAUDE_CODE,
  async launch(room) {
    const { environment, ...launch } = await CLAUDE_CODE.launch(room);
    return { ...launch, environment: { ...environment, ENABLE_TOOL_SEARCH: "false" } };
  },
};

for (const agent of [CLAUDE_CODE_WITH_SEARCH, GEMINI_CLI]) {
  Deno.test({
    name: `${titleOf(agent)}: gets the refusal of a search as its result`,
    ignore: !isInstalled(agent.name),
    async fn() {
      const model = playSearch();
      const played = await stage({ agent, isThroughProxy: true, cast: () => model });
      assert.equal(model.results.length, 1, report(played));
      assert.match(model.results[0]!, /runs on the servers of this API/);
      assert.equal(played.code, 0, report(played));
    },
  });
}
