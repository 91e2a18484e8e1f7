/**
 * Several upstreams for one model: the next one answers if one can't, on every wire; no answer that has begun is asked for
 * again; and a day of requests by named keys, during which an upstream dies, has the same counts everywhere.
 * DRAGOMAN_THOROUGH=1 makes it a day of 10,000 requests.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { AuditLine, RequestLine } from "../../src/desk/audit/line.ts";
import { recordRequest } from "../../src/desk/audit/record.ts";
import { createUpstreamHealth } from "../../src/proxy/upstream/upstream_health.ts";
import { readPrometheus } from "../support/prometheus.ts";
import { askChat, bracketService, startProxy, testConfig } from "../support/proxy.ts";
import { RefusedPort } from "../support/refused_port.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { startServer } from "../support/serve.ts";
import { askRow, onRows, TOOL, WIRE_TABLE } from "../support/wire_table.ts";

/** A proxy between two upstreams; `lines` gets the line of each request. */
async function startPair(urls: readonly string[], routing: Record<string, unknown>) {
  const lines: RequestLine[] = [];
  const write = (all: readonly AuditLine[]) => lines.push(...all.filter((line) => line.kind === "request"));
  const config = testConfig(undefined, {
    upstreams: urls.map((url, index) => ({ name: `u${index}`, url })),
    routing,
  });
  const health = createUpstreamHealth();
  const proxy = await startProxy(bracketService(config), {
    health,
    watches: [(facts) => recordRequest(facts, { contents: false, write })],
  });
  return { proxy, lines, health };
}

const GOOD: Script = { text: "[[t {}]]" };

Deno.test("the next upstream answers on every wire if one is away, busy or without its server", async () => {
  using away = await RefusedPort.open();
  await using good = startUpstream(GOOD);
  for (const status of [0, 429, 502, 503]) {
    await using bad = startUpstream({ error: { status, body: '{"error":{"message":"no"}}' } });
    const urls = [status === 0 ? `http://127.0.0.1:${away.port}/v1` : bad.url, good.url];
    const { proxy, lines } = await startPair(urls, { strategy: "order", cooldown_ms: 1 });
    try {
      for (const tool of [TOOL, undefined]) {
        await onRows(WIRE_TABLE, async (row) => {
          const question = { task: "x", ...(tool === undefined ? {} : { tool }) };
          const { status: got, end, calls, text } = await askRow(proxy.origin, { row, question });
          assert.deepEqual([got, end], [200, "whole"]);
          if (tool === undefined) assert.equal(text, "[[t {}]]");
          else assert.deepEqual(calls, [["t", {}]]);
        });
      }
      assert.equal(lines.length, 2 * WIRE_TABLE.length);
      for (const line of lines) {
        assert.deepEqual([line.upstream, line.tried, line.status, line.error], ["u1", ["u0"], 200, null]);
      }
    } finally {
      await proxy[Symbol.asyncDispose]();
    }
  }
});

Deno.test("an upstream that failed is asked last until its cooldown is over; the last one's error is the answer", async () => {
  await using bad = startUpstream({ error: { status: 503, body: '{"error":{"message":"no"}}' } });
  await using good = startUpstream(GOOD);
  const { proxy, lines } = await startPair([bad.url, good.url], { strategy: "order", cooldown_ms: 60_000 });
  for (let count = 0; count < 3; count++) await (await askChat(proxy.origin)).text();
  assert.deepEqual(lines.map(({ tried = [] }) => tried.join()), ["u0", "", ""]);
  assert.equal(bad.requests.length, 1);
  await proxy[Symbol.asyncDispose]();
  const both = await startPair([bad.url, bad.url], { strategy: "order" });
  const answer = await askChat(both.proxy.origin);
  assert.deepEqual([answer.status, (await answer.json()).error.message], [503, "no"]);
  assert.deepEqual(both.lines.map(({ upstream, tried }) => [upstream, tried]), [["u1", ["u0"]]]);
  await both.proxy[Symbol.asyncDispose]();
});

Deno.test("nothing is asked again after the first byte, by default, or for another error", async () => {
  await using second = startUpstream(GOOD);
  const table: [Script, string][] = [
    [{ text: "a long answer", fate: "break" }, "order"],
    [{ error: { status: 500, body: "{}" } }, "order"],
    [{ error: { status: 400, body: "{}" } }, "order"],
    [{ error: { status: 503, body: "{}" } }, "first"],
  ];
  for (const [script, strategy] of table) {
    await using first = startUpstream(script);
    const { proxy } = await startPair([first.url, second.url], { strategy });
    await (await askChat(proxy.origin, { body: { stream: true } })).text().catch(() => "");
    assert.equal(second.requests.length, 0);
    await proxy[Symbol.asyncDispose]();
  }
});

Deno.test("spread gives each conversation its own upstream, and it stays there", async () => {
  await using one = startUpstream(GOOD);
  await using other = startUpstream(GOOD);
  const { proxy, lines } = await startPair([one.url, other.url], { strategy: "spread" });
  const ask = async (task: string) => {
    await (await askChat(proxy.origin, { body: { messages: [{ role: "user", content: task }] } })).text();
    return lines.at(-1)!.upstream;
  };
  const used = new Map<string, number>();
  for (let number = 0; number < 40; number++) {
    const upstream = await ask(`task ${number}`);
    used.set(upstream, (used.get(upstream) ?? 0) + 1);
    assert.equal(await ask(`task ${number}`), upstream);
  }
  assert.ok((used.get("u0") ?? 0) > 8 && (used.get("u1") ?? 0) > 8, JSON.stringify([...used]));
  await proxy[Symbol.asyncDispose]();
});

const REQUESTS = Deno.env.get("DRAGOMAN_THOROUGH") === "1" ? 10_000 : 300;

/** How many requests are under way at once. */
const AT_ONCE = 20;

const KEYS = { alice: "alice-has-a-long-key", bob: "bob-has-a-long-key-too" };

Deno.test("a day by named keys over two upstreams, one of which dies, has the same counts everywhere", async () => {
  const dying = startUpstream({ text: "one" });
  await using other = startUpstream({ text: "two" });
  await using server = await startServer(
    `listen: { keys: { alice: ALICE, bob: BOB } }
upstreams: [{ name: one, url: "${dying.url}" }, { name: two, url: "${other.url}" }]
routing: { strategy: spread }
limits: { per_key: { requests_per_day: 100000 } }
`,
    { ALICE: KEYS.alice, BOB: KEYS.bob },
  );
  const sent: Record<string, number> = { alice: 0, bob: 0 };
  const gave: Record<string, number> = { one: 0, two: 0 };
  let number = 0;
  const work = async () => {
    while (number < REQUESTS) {
      const mine = number++;
      if (mine === REQUESTS / 2) await dying[Symbol.asyncDispose]();
      const name = mine % 3 === 0 ? "bob" : "alice";
      sent[name] = sent[name]! + 1;
      const response = await askChat(server.origin, {
        headers: { authorization: `Bearer ${KEYS[name]}` },
        body: { stream: mine % 2 === 0, messages: [{ role: "user", content: `task ${mine % 50}` }] },
      });
      const text = await response.text();
      // Answers that had begun when their upstream died may break off; nothing else is lost.
      assert.equal(response.status, 200, text);
      const upstream = text.includes("two") ? "two" : "one";
      gave[upstream] = gave[upstream]! + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const headers = { authorization: `Bearer ${KEYS.alice}` };
  const samples = readPrometheus(await (await fetch(`${server.origin}/metrics`, { headers })).text());
  const sum = (name: string, labels: Record<string, string>) =>
    samples.filter((sample) =>
      sample.name === `dragoman_${name}` &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
    ).reduce((total, { value }) => total + value, 0);
  const figures = await (await fetch(`${server.page}figures`, { headers })).json();
  const row = (kind: "keys" | "upstreams", wanted: string) =>
    figures[kind].find(({ name }: { name: string }) => name === wanted).requests;
  for (const [key, count] of Object.entries(sent)) {
    assert.deepEqual([sum("requests_total", { key }), row("keys", key)], [count, count], key);
  }
  for (const [upstream, count] of Object.entries(gave)) {
    assert.deepEqual(
      [sum("requests_total", { upstream }), row("upstreams", upstream)],
      [count, count],
      upstream,
    );
  }
  assert.ok(gave["one"]! > REQUESTS / 10 && gave["two"]! > REQUESTS / 2, JSON.stringify(gave));
  assert.ok(sum("upstream_failovers_total", { upstream: "one" }) > 0);
  assert.deepEqual([
    sum("upstream_answers", { upstream: "one" }),
    sum("upstream_answers", { upstream: "two" }),
  ], [0, 1]);
  assert.equal(sum("requests_total", {}), REQUESTS);
});
