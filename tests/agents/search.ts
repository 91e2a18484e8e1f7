/**
 * Agents whose search tool asks the API's own servers: the model calls it, the agent sends a request that offers only a
 * tool of those servers, and the refusal reaches the model as the tool's result, so that it invents none. Run by
 * `deno task test:agents`, which installs first.
 *
 * @module
 */
import assert from "node:assert/strict";
import { CLAUDE_CODE } from "./claude_code.ts";
import { resultsOf } from "./conversation.ts";
import { isInstalled } from "./folder.ts";
import { GEMINI_CLI } from "./gemini_cli.ts";
import { searchCall } from "./offered.ts";
import { DIALECTS, isPerson, readRequest } from "./scenario.ts";
import { type Player, report, stage, titleOf } from "./stage.ts";

const REFUSAL = /runs on this API's own servers/;

/** A model that searches once, and looks the search up before that if it isn't offered yet. */
interface Searcher extends Player {
  readonly results: readonly string[];
}

function playSearch(): Searcher {
  const results: string[] = [];
  return {
    results,
    script({ body }) {
      const request = readRequest(body);
      results.splice(0, Infinity, ...resultsOf(request));
      const { messages = [], tools = [] } = request;
      const call = searchCall(tools, "deno 2.9");
      const isAsked = messages.some(isPerson) && !results.some((result) => REFUSAL.test(result));
      return isAsked && call !== undefined ? { text: DIALECTS["Hermes JSON"]!(call) } : { text: "ok" };
    },
  };
}

for (const agent of [CLAUDE_CODE, GEMINI_CLI]) {
  Deno.test({
    name: `${titleOf(agent)}: gets the refusal of a search as its result`,
    ignore: !isInstalled(agent.name),
    async fn() {
      const model = playSearch();
      const played = await stage({ agent, isThroughProxy: true, cast: () => model });
      assert.match(model.results.at(-1) ?? "", REFUSAL, report(played));
      assert.equal(played.code, 0, report(played));
    },
  });
}
