/**
 * Agents on wires other than chat completions play a conversation of several turns: two calls in one turn, a result
 * that is an error, a picture, and the upstream's own calls. Run by `deno task test:agents`, which installs first.
 *
 * @module
 */
import assert from "node:assert/strict";
import {
  type Conversation,
  ERROR,
  FILES,
  imagesOf,
  PICTURE,
  playConversation,
  resultsOf,
  TURNS,
} from "./conversation.ts";
import { isInstalled } from "./folder.ts";
import type { ModelRequest } from "./scenario.ts";
import { report, stage, titleOf } from "./stage.ts";
import { WIRE_AGENTS } from "./wire_agents.ts";

for (const agent of WIRE_AGENTS) {
  Deno.test({
    name: `${titleOf(agent)}: goes on after an error, sees a picture, and makes two calls a turn`,
    ignore: !isInstalled(agent.name),
    async fn() {
      let model: Conversation | undefined;
      const cast = (folder: string) => model = playConversation(folder);
      const played = await stage({ agent, isThroughProxy: true, cast });
      assert.equal(model?.requests.length, TURNS + 1, report(played));
      const [second, last] = [model.requests[1]!, model.requests.at(-1)!];
      assertOrder(last);
      assert.match(resultsOf(second)[0]!, ERROR);
      const pictures = agent.keepsPictures ? [] : [`data:image/png;base64,${PICTURE}`];
      assert.deepEqual(imagesOf(second), pictures);
      for (const { path, content } of FILES) assert.equal(played.files.get(path), content, report(played));
      assert.equal(played.code, 0, report(played));
    },
  });
}

/** The results come directly after their calls, in the same order, two in each turn. */
function assertOrder({ messages = [] }: ModelRequest): void {
  let turns = 0;
  for (const [at, { tool_calls: calls }] of messages.entries()) {
    if (calls === undefined) continue;
    turns++;
    const results = messages.slice(at + 1, at + 1 + calls.length);
    assert.equal(calls.length, 2);
    assert.deepEqual(results.map(({ role }) => role), ["tool", "tool"]);
    assert.deepEqual(results.map((result) => result.tool_call_id), calls.map(({ id }) => id));
  }
  assert.equal(turns, TURNS);
}
