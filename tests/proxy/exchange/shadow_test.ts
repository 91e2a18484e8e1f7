import assert from "node:assert/strict";
import { createService } from "../../../src/proxy/exchange/service.ts";
import type { RequestFacts, RequestOutcome } from "../../../src/proxy/exchange/watch.ts";
import { hear } from "../../support/chunks.ts";
import { demoParts } from "../../support/demo_parts.ts";
import { askChat, startProxy, testConfig } from "../../support/proxy.ts";
import { startUpstream, USAGE } from "../../support/scripted_upstream.ts";

import { askRow, onRows, TOOL, WIRE_TABLE } from "../../support/wire_table.ts";

const TEXT = "Look 漢😀: <call t>{}</call> and <call other>{}</call>";

/** A proxy with one rule, and everything that its watch hears. */
async function watchedProxy(
  url: string,
  policy: Record<string, unknown>,
  upstream: Record<string, unknown> = {},
) {
  const heard: {
    facts: RequestFacts;
    decisions: string[];
    outcome?: RequestOutcome;
    /** A client has its bytes before the reading of them is over. */
    ended: Promise<void>;
  }[] = [];
  const config = testConfig(undefined, { policy, upstreams: [{ name: "local", url, ...upstream }] });
  const service = createService({ ...demoParts({ config }), keys: new Map() });
  const proxy = await startProxy(service, {
    watches: [(facts) => {
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const request: typeof heard[number] = { facts, decisions: [], ended };
      heard.push(request);
      return {
        observe(event, { source }) {
          if (event.kind === "note") request.decisions.push(`${event.reason}: ${source}`);
        },
        end(outcome) {
          request.outcome = outcome;
          resolve();
        },
      };
    }],
  });
  return { proxy, heard };
}

/** A question whose answer states its tokens. */
const counted = (stream: boolean) => ({
  stream,
  ...(stream ? { stream_options: { include_usage: true } } : {}),
});

const WOULD = ["would_transform: <call t>{}</call>", "unknown_tool: <call other>"];

Deno.test("a dry run gives the client the upstream's own bytes, streamed, whole and compressed", async () => {
  for (const isCompressed of [false, true]) {
    for (const stream of [true, false]) {
      await using upstream = startUpstream({ text: TEXT, lineEnd: "\r\n", isCompressed });
      const { proxy, heard } = await watchedProxy(upstream.url, { dry_run: true });
      await using _ = proxy;
      const raw = async (origin: string) => {
        const response = await askChat(origin, { body: counted(stream) });
        return new Uint8Array(await response.arrayBuffer());
      };
      const direct = await raw(upstream.url.slice(0, -3));
      assert.deepEqual(await raw(proxy.origin), direct);
      assert.equal(heard[0]?.facts.mode, "dry_run");
      await heard[0]?.ended;
      assert.equal(heard[0]?.outcome?.status, 200);
      assert.deepEqual(heard[0]?.outcome?.usage?.(), USAGE);
      if (!isCompressed) assert.deepEqual(heard[0]?.decisions, WOULD);
    }
  }
});

Deno.test("an upstream on trial and a conversation outside the canary get the original bytes too", async () => {
  const table = [
    [{}, { dry_run: true }, "would_transform"],
    [{ rollout_percent: 0 }, {}, "rollout_excluded"],
  ] as const;
  for (const [policy, more, reason] of table) {
    await using upstream = startUpstream({ text: TEXT });
    const { proxy, heard } = await watchedProxy(upstream.url, policy, more);
    await using _ = proxy;
    const direct = await (await askChat(upstream.url.slice(0, -3), { body: { stream: true } })).text();
    assert.equal(await (await askChat(proxy.origin, { body: { stream: true } })).text(), direct);
    await heard[0]?.ended;
    assert.equal(heard[0]?.decisions[0]?.split(":")[0], reason);
    await onRows(WIRE_TABLE.filter(({ wire }) => wire !== "chat"), async (row) => {
      const question = { task: row.name, tool: TOOL };
      assert.deepEqual((await askRow(proxy.origin, { row, question })).calls, []);
    });
    for (const { ended } of heard) await ended;
    assert.deepEqual(
      heard.slice(1).map(({ outcome }) => outcome?.usage?.()),
      Array(heard.length - 1).fill(USAGE),
      "the tokens of the other wires",
    );
  }
});

Deno.test("a rule on trial makes no call, and what it would do is heard", async () => {
  await using upstream = startUpstream({ text: TEXT });
  const { proxy, heard } = await watchedProxy(upstream.url, { dry_run_rules: ["demo"] });
  await using _ = proxy;
  const answer = hear(await (await askChat(proxy.origin, { body: { stream: true } })).text());
  assert.equal(answer.choices[0]?.content, TEXT);
  assert.deepEqual(heard[0]?.decisions, WOULD);
});

Deno.test("a live answer tells its watch of decisions, work and end", async () => {
  await using upstream = startUpstream({ text: TEXT });
  const { proxy, heard } = await watchedProxy(upstream.url, {});
  await using _ = proxy;
  for (const stream of [true, false]) {
    const response = await askChat(proxy.origin, { body: { stream } });
    await response.text();
    const { facts, decisions, outcome } = heard.at(-1)!;
    assert.deepEqual([facts.mode, facts.toolCount, facts.isStreamed], ["live", 1, stream]);
    assert.deepEqual(decisions, ["transformed" + WOULD[0]?.slice(15), WOULD[1]]);
    assert.deepEqual([outcome?.status, outcome?.error], [200, undefined]);
    assert.ok((outcome?.pieces ?? 0) >= 1 && (outcome?.durationMs ?? 0) >= (outcome?.addedMs ?? 1e9));
  }
});

Deno.test("a watch that throws breaks no answer, and hears of a client that leaves", async () => {
  await using upstream = startUpstream({ text: TEXT, isEndless: true });
  const ended = Promise.withResolvers<RequestOutcome>();
  const config = testConfig(upstream.url, { policy: { dry_run: true } });
  await using proxy = await startProxy(
    createService({ ...demoParts({ config }), keys: new Map() }),
    {
      watches: [() => ({
        observe() {
          throw new Error("broken watch");
        },
        end: ended.resolve,
      })],
    },
  );
  const response = await askChat(proxy.origin, { body: { stream: true } });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  assert.equal((await ended.promise).error, "client_left");
});
