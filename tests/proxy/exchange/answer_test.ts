import assert from "node:assert/strict";
import type { RequestOutcome, WatchRequest } from "../../../src/proxy/exchange/watch.ts";
import { ATTEMPTS_MAXIMUM } from "../../../src/proxy/exchange/remedies.ts";
import { hear } from "../../support/chunks.ts";
import { pluginService } from "../../support/plugins.ts";
import { askChat, startProxy } from "../../support/proxy.ts";
import { startUpstream } from "../../support/scripted_upstream.ts";

const CALL = '<tool_call>\n{"name": "t", "arguments": {}}\n</tool_call>';
const NEVER = `export default {
  name: "never",
  onCall: () => ({ verdict: { kind: "retry", code: "NEVER", message: "no" } }),
};`;

for (const stream of [true, false]) {
  Deno.test(`answerChat asks no more often than its limit, and ends the request once (stream: ${stream})`, async () => {
    await using upstream = startUpstream({ text: CALL });
    const service = await pluginService(upstream.url, {
      files: { "never.ts": NEVER },
      config: "plugins:\n  - use: ./never.ts\n",
    });
    const outcomes: RequestOutcome[] = [];
    const watch: WatchRequest = () => ({ observe() {}, end: (outcome) => void outcomes.push(outcome) });
    await using proxy = await startProxy(service, { watches: [watch] });
    const response = await askChat(proxy.origin, { body: { stream } });
    const text = await response.text();
    const [error] = stream ? hear(text).errors : [JSON.parse(text).error];
    assert.equal(error?.code, "NEVER");
    assert.equal(upstream.requests.length, ATTEMPTS_MAXIMUM);
    assert.deepEqual(outcomes.map(({ error }) => error), ["NEVER"]);
  });
}
