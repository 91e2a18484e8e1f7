/**
 * Several upstreams for one model: the next one answers if one can't, on every wire, and with workers; no answer that has
 * begun is asked for again.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AuditLine, RequestLine } from "../../src/admin/audit/line.ts";
import { recordRequest } from "../../src/admin/audit/record.ts";
import { createUpstreamHealth } from "../../src/proxy/upstream/upstream_health.ts";
import { startProgram } from "../support/program.ts";
import { askChat, bracketService, startProxy, testConfig } from "../support/proxy.ts";
import { startRawUpstream } from "../support/raw_upstream.ts";
import { RefusedPort } from "../support/refused_port.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { freePort } from "../support/server_process.ts";
import { askRow, onRows, TOOL, WIRE_TABLE } from "../support/wire_table.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

/** A proxy between two upstreams; `lines` gets the line of each request, `moves` what a move to the next one is booked as. */
async function startPair(urls: readonly string[], routing: Record<string, unknown>) {
  const lines: RequestLine[] = [];
  const moves: string[] = [];
  const write = (all: readonly AuditLine[]) => {
    for (const line of all) {
      if (line.kind === "request") lines.push(line);
      if (line.kind === "decision" && line.reason === "next_upstream") moves.push(line.rule);
    }
  };
  const config = testConfig(undefined, {
    upstreams: urls.map((url, index) => ({ name: `u${index}`, url })),
    routing,
  });
  const health = createUpstreamHealth();
  const proxy = await startProxy(bracketService(config), {
    health,
    watches: [(facts) => recordRequest(facts, { contents: false, write })],
  });
  return { proxy, lines, moves, health };
}

const GOOD: Script = { text: "[[t {}]]" };

Deno.test("the next upstream answers on every wire if one is away, busy or without its server", async () => {
  using away = await RefusedPort.open();
  await using good = startUpstream(GOOD);
  for (const status of [0, 429, 502, 503]) {
    await using bad = startUpstream({ error: { status, body: '{"error":{"message":"no"}}' } });
    const urls = [status === 0 ? `http://127.0.0.1:${away.port}/v1` : bad.url, good.url];
    const { proxy, lines, moves } = await startPair(urls, { strategy: "order", cooldown_ms: 1 });
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
      // No rule and no call of the upstream takes part in a move.
      assert.deepEqual(moves, lines.map(() => "routing"));
    } finally {
      await proxy[Symbol.asyncDispose]();
    }
  }
});

Deno.test("the next upstream answers an agent on every wire if an answer ends, or states that, before it has anything", async () => {
  await using good = startUpstream(GOOD);
  const error = '{"error":{"message":"busy","code":503}}';
  const ends: readonly Script[] = [
    { raw: { stream: ": hello\n\n", body: "" } },
    { raw: { stream: "", body: " " }, fate: "break" },
    { text: "", fate: "break", fateAt: 0 },
    { raw: { stream: `event: error\ndata: ${error}\n\n`, body: error } },
  ];
  for (const [at, script] of ends.entries()) {
    await using bad = startUpstream(script);
    const { proxy } = await startPair([bad.url, good.url], { strategy: "order", cooldown_ms: 1 });
    // A whole answer of the third one is an empty answer.
    const rows = WIRE_TABLE.filter(({ isStreamed }) => isStreamed || at !== 2);
    await onRows(rows, async (row) => {
      const { end, calls } = await askRow(proxy.origin, { row, question: { task: "x", tool: TOOL } });
      assert.deepEqual([end, calls], ["whole", [["t", {}]]], `${at}`);
    });
    await proxy[Symbol.asyncDispose]();
  }
});

Deno.test("an upstream whose kept connection ends is asked once before the next one, on every wire", async () => {
  await using good = startUpstream(GOOD);
  for (const fate of ["reset", "end"] as const) {
    let isWarm = false;
    await using bad = await startRawUpstream((request) => {
      if (isWarm) request[fate]();
      else request.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    });
    const { proxy, lines } = await startPair([bad.url, good.url], { strategy: "order", cooldown_ms: 1 });
    const asks = WIRE_TABLE.flatMap((row) => [TOOL, undefined].map((tool) => ({ row, tool })));
    for (const { row, tool } of asks) {
      isWarm = false;
      await (await fetch(`${proxy.origin}/upstream/u0/v1/models`)).text();
      isWarm = true;
      const before = bad.count;
      const question = { task: "x", ...(tool === undefined ? {} : { tool }) };
      assert.equal((await askRow(proxy.origin, { row, question })).status, 200);
      assert.equal(bad.count - before, 1, `${row.name} ${fate}`);
      // Its cooldown is over.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.deepEqual(lines.map(({ tried = [] }) => tried.join()), asks.map(() => "u0"));
    await proxy[Symbol.asyncDispose]();
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

Deno.test("if none answers, the client of each wire gets the answer of one that is busy", async () => {
  const headers = { "retry-after": "7" };
  await using busy = startUpstream({
    error: { status: 429, body: '{"error":{"message":"later"}}', headers },
  });
  await using bad = startUpstream({ error: { status: 502, body: '{"error":{"message":"no"}}' } });
  const { proxy, lines } = await startPair([busy.url, bad.url], { strategy: "order", cooldown_ms: 1 });
  const answer = await askChat(proxy.origin);
  assert.deepEqual([answer.status, answer.headers.get("retry-after")], [429, "7"]);
  assert.equal((await answer.json()).error.message, "later");
  await onRows(WIRE_TABLE, async (row) => {
    assert.equal((await askRow(proxy.origin, { row, question: { task: "x", tool: TOOL } })).status, 429);
  });
  for (const line of lines) {
    assert.deepEqual([line.upstream, line.tried, line.status], ["u0", ["u0", "u1"], 429]);
  }
  assert.deepEqual([busy.requests.length, bad.requests.length], Array(2).fill(1 + WIRE_TABLE.length));
  await proxy[Symbol.asyncDispose]();
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

const HAS_WORKERS = Deno.build.os === "linux";

/** `serve --workers 2` between upstreams; `ask` asks on a connection of its own, so that the system chooses a worker. */
async function startWorkers(urls: readonly string[], more: Record<string, unknown>) {
  const folder = await temporaryFolder();
  const upstreams = urls.map((url, index) => ({ name: `u${index}`, url }));
  const config = { upstreams, audit: { file: "logs/audit.jsonl" }, ...more };
  await Deno.writeTextFile(join(folder, "alice.key"), KEYS.alice);
  await Deno.writeTextFile(join(folder, "bob.key"), KEYS.bob);
  await Deno.writeTextFile(join(folder, "dragoman.yaml"), JSON.stringify(config));
  const port = freePort();
  const words = ["serve", "--workers", "2", "--port", `${port}`];
  const program = startProgram(folder, words, ["--allow-write=logs"]);
  await program.until(/is ready/);
  return {
    program,
    async ask(task: string, key = KEYS.alice) {
      using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
      const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: "m", messages: [{ role: "user", content: task }] }),
        client,
      });
      return { status: response.status, text: await response.text() };
    },
    /** The lines of the requests, once it has ended. */
    async end() {
      program.interrupt();
      const { code, stderr } = await program.end();
      assert.equal(code, 0, stderr);
      const text = await Deno.readTextFile(join(folder, "logs", "audit.jsonl"));
      return text.trimEnd().split("\n").map((line) => JSON.parse(line) as RequestLine);
    },
  };
}

const KEYS = { alice: "alice-has-a-long-key", bob: "bob-has-a-long-key-too" };

Deno.test({
  name: "workers: what one thread saw of an upstream, all know; the next upstream answers",
  ignore: !HAS_WORKERS,
  async fn() {
    await using bad = startUpstream({ error: { status: 503, body: '{"error":{"message":"no"}}' } });
    await using good = startUpstream(GOOD);
    const server = await startWorkers([bad.url, good.url], { routing: { strategy: "order" } });
    // The main thread asks each upstream at the start.
    await server.program.until(/warning: u0 /);
    for (let count = 0; count < 8; count++) assert.equal((await server.ask("x")).status, 200);
    const lines = await server.end();
    assert.deepEqual(lines.map(({ upstream, tried = [] }) => [upstream, tried]), Array(8).fill(["u1", []]));
    assert.deepEqual(bad.requests.filter(({ method }) => method === "POST"), []);
  },
});

Deno.test({
  name:
    "workers: spread keeps a conversation at its upstream, and the limits of a day hold for each named key",
  ignore: !HAS_WORKERS,
  async fn() {
    await using one = startUpstream({ text: "one" });
    await using other = startUpstream({ text: "other" });
    const server = await startWorkers([one.url, other.url], {
      listen: { keys: { alice: "./alice.key", bob: "./bob.key" } },
      routing: { strategy: "spread" },
      limits: { per_key: { requests_per_day: 20 } },
    });
    const used = new Set<string>();
    for (let number = 0; number < 10; number++) {
      const [first, second] = [await server.ask(`task ${number}`), await server.ask(`task ${number}`)];
      assert.deepEqual([first.status, second.text], [200, first.text]);
      used.add(JSON.parse(first.text).choices[0].message.content);
    }
    assert.equal(used.size, 2);
    for (let count = 0; count < 4; count++) {
      const { status, text } = await server.ask("more");
      assert.equal(status, 429);
      assert.match(text, /alice.*20 requests a day/);
      assert.equal((await server.ask("more", KEYS.bob)).status, 200);
    }
    const lines = await server.end();
    const count = (key: string) => lines.filter((line) => line.key === key && line.status === 200).length;
    assert.deepEqual([count("alice"), count("bob")], [20, 4]);
  },
});
