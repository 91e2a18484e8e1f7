/**
 * What clients of each wire get while the upstream is silent, before its answer and in it: headers and something that
 * keeps the connection alive, the error's status if it comes soon, and a retry or another upstream as long as nothing
 * else was sent.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { recordRequest } from "../../src/admin/audit/record.ts";
import type { AuditLine } from "../../src/admin/audit/line.ts";
import { builtInService } from "../support/built_in.ts";
import { startProxy, testConfig } from "../support/proxy.ts";
import { type RawRequest, startRawUpstream } from "../support/raw_upstream.ts";
import { type Script, startUpstream } from "../support/scripted_upstream.ts";
import { BEATS } from "../support/beats.ts";
import { startProgram } from "../support/program.ts";
import { freePort } from "../support/server_process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { readRaw, STREAMED_ROWS, TOOL, type WireRow } from "../support/wire_table.ts";

const FAILED = '{"error":{"message":"out of memory"}}';
const EVENTS = [
  { choices: [{ index: 0, delta: { content: "Do" }, finish_reason: null }] },
  { choices: [{ index: 0, delta: { content: "ne." }, finish_reason: null }] },
  {
    choices: [{ index: 0, delta: {}, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  },
].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
const STREAM = `${EVENTS.join("")}data: [DONE]\n\n`;
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

function answerWith(request: RawRequest, { status, body }: { status: string; body: string }): void {
  const type = status === "200 OK" ? "text/event-stream" : "application/json";
  request.write(
    `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

const ROWS = STREAMED_ROWS.map((row) => ({ name: row.wire, row, tool: TOOL as typeof TOOL | undefined }));
/** A request without tools is of no known client, and its answer passes unread. */
ROWS.push({
  name: "chat without tools",
  row: STREAMED_ROWS.find(({ wire }) => wire === "chat")!,
  tool: undefined,
});

interface Asked {
  readonly row: WireRow;
  readonly tool: typeof TOOL | undefined;
  readonly everyMs?: number;
  /** Answers; `until` waits for what the client has got. */
  readonly act: (request: RawRequest, until: Until) => void | Promise<void>;
}

type Until = (isThere: (raw: string) => boolean) => Promise<void>;

/** Asks with a proxy that waits for `everyMs`; `act` answers after the client's first bytes. */
async function askWaiting({ row, tool, everyMs = 6, act }: Asked) {
  await using upstream = await startRawUpstream();
  const service = await builtInService(
    testConfig(upstream.url, { limits: { keep_alive_ms: everyMs } }),
  );
  const lines: AuditLine[] = [];
  const watches = [
    (facts: Parameters<typeof recordRequest>[0]) =>
      recordRequest(facts, { contents: false, write: (all) => void lines.push(...all) }),
  ];
  await using proxy = await startProxy(service, { watches });
  const { path, body } = row.request({ task: "Hi", ...(tool === undefined ? {} : { tool }) });
  const arriving = upstream.next();
  const response = await fetch(proxy.origin + path, { method: "POST", body: JSON.stringify(body) });
  const [first, rest] = response.body!.tee();
  const reader = first.pipeThrough(new TextDecoderStream()).getReader();
  let got = (await reader.read()).value ?? "";
  await act(await arriving, async (isThere) => {
    while (!isThere(got)) {
      const { done, value } = await reader.read();
      assert.ok(!done, `the answer ended: ${got}`);
      got += value;
    }
  });
  void reader.cancel();
  const raw = await readRaw(new Response(rest));
  return { ...row.read({ status: response.status, ...raw }), raw: raw.text, lines };
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

for (const { name, row, tool } of ROWS) {
  const count = (raw: string) => raw.match(BEATS[name]!)?.length ?? 0;

  Deno.test(`${name}: a client that waits for the upstream gets headers and beats, then the answer`, async () => {
    const { status, end, text, raw, lines } = await askWaiting({
      row,
      tool,
      async act(request, until) {
        await until((raw) => count(raw) >= 4);
        request.write(HEAD + EVENTS[0]);
        await until((raw) => raw.includes("Do") && count(raw.slice(raw.indexOf("Do"))) >= 1);
        request.write(`${EVENTS.slice(1).join("")}data: [DONE]\n\n`);
        request.end();
      },
    });
    assert.deepEqual([status, end, text], [200, "whole", "Done."]);
    assert.ok(count(raw) >= 4, `beats in ${raw}`);
    const middle = raw.slice(raw.indexOf("Do"), raw.indexOf("ne."));
    assert.ok(count(middle) >= 1, `beats in the middle of ${raw}`);
    const noted = lines.find((line) => line.kind === "decision" && line.reason === "kept_alive");
    assert.match(noted?.kind === "decision" ? noted.detail ?? "" : "", /^\d+ times$/);
  });

  Deno.test(`${name}: an error of the upstream that comes late is in the stream`, async () => {
    const { status, end, error } = await askWaiting({
      row,
      tool,
      act: (request) => answerWith(request, { status: "500 Internal Server Error", body: FAILED }),
    });
    assert.deepEqual([status, end], [200, "error"]);
    assert.match(error ?? "", /out of memory/);
  });

  Deno.test(`${name}: an answer that is JSON although a stream was asked for comes late as a stream`, async () => {
    const whole = { choices: [{ index: 0, message: { content: "Done." }, finish_reason: "stop" }] };
    const { status, end, text } = await askWaiting({
      row,
      tool,
      act(request) {
        const body = JSON.stringify(whole);
        request.write(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
      },
    });
    assert.deepEqual([status, end, text], [200, "whole", "Done."]);
  });
}

interface AskedSeveral extends Pick<Asked, "row" | "tool" | "everyMs"> {
  /** Gets what has come so far, as often as something comes. */
  readonly saw?: (raw: string) => void;
}

/** Asks a proxy with these upstreams, which beats every 6 ms. */
async function askSeveral(
  { row, tool, everyMs = 6, saw = () => {} }: AskedSeveral,
  urls: readonly string[],
) {
  const service = await builtInService(testConfig(undefined, {
    upstreams: urls.map((url, index) => ({ name: `u${index}`, url })),
    routing: { strategy: "order" },
    limits: { keep_alive_ms: everyMs },
  }));
  await using proxy = await startProxy(service);
  const { path, body } = row.request({ task: "Hi", ...(tool === undefined ? {} : { tool }) });
  const response = await fetch(proxy.origin + path, { method: "POST", body: JSON.stringify(body) });
  const { status } = response;
  const raw = await readWatching(response, saw);
  return { ...row.read({ status, ...raw }), raw: raw.text };
}

/** Reads an answer; `saw` gets what has come so far, as often as something comes. */
async function readWatching(response: Response, saw: (raw: string) => void) {
  const [watched, rest] = response.body!.tee();
  let got = "";
  const write = (text: string) => saw(got += text);
  const watching = watched.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write }));
  const raw = await readRaw(new Response(rest));
  await watching.catch(() => {});
  return raw;
}

const GOOD: Script = { text: "Done." };

Deno.test("after nothing but beats, the next upstream answers on every wire", async () => {
  for (const { name, row, tool } of ROWS) {
    const beaten = Promise.withResolvers<void>();
    await using busy = await startRawUpstream(async (request) => {
      await beaten.promise;
      answerWith(request, { status: "503 Service Unavailable", body: FAILED });
    });
    await using good = startUpstream(GOOD);
    const saw = (raw: string) => raw.match(BEATS[name]!) && beaten.resolve();
    const { status, end, text, raw } = await askSeveral({ row, tool, saw }, [busy.url, good.url]);
    assert.deepEqual([name, status, end, text], [name, 200, "whole", "Done."]);
    assert.ok((raw.match(BEATS[name]!)?.length ?? 0) > 0, raw);
  }
});

Deno.test("an error that comes before the first beat keeps its status on every wire", async () => {
  for (const { name, row, tool } of ROWS) {
    await using upstream = startUpstream({ error: { status: 418, body: FAILED } });
    const { status, end } = await askSeveral({ row, tool, everyMs: 60_000 }, [upstream.url]);
    assert.deepEqual([name, status, end], [name, 418, "error"]);
  }
});

Deno.test("without keep_alive_ms, and while the model writes, no wire gets a beat", async () => {
  for (const [everyMs, pauseMs] of [[0, 20], [60_000, 0]] as const) {
    for (const { name, row, tool } of ROWS) {
      await using upstream = await startRawUpstream(async (request) => {
        await later(pauseMs);
        answerWith(request, { status: "200 OK", body: STREAM });
      });
      const { status, text, raw } = await askSeveral({ row, tool, everyMs }, [upstream.url]);
      assert.deepEqual([name, status, text], [name, 200, "Done."]);
      const own = name === "responses" ? 1 : 0;
      assert.equal(raw.match(BEATS[name]!)?.length ?? 0, own, raw);
      if (name === "chat without tools") assert.equal(raw, STREAM);
    }
  }
});

Deno.test({
  name:
    "workers: every wire gets beats, agents' words for a prompt that is too long, and the audit log has both",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const long = JSON.stringify({
      error: { message: "request (9 tokens) exceeds the available context size (8 tokens" },
    });
    let beaten = Promise.withResolvers<void>();
    await using upstream = await startRawUpstream(async (request) => {
      if (request.text.startsWith("GET")) return request.end();
      const isLong = request.text.includes("too long");
      if (!isLong) await beaten.promise;
      const [status, body] = isLong ? ["400 Bad Request", long] : ["200 OK", STREAM];
      answerWith(request, { status, body });
    });
    const folder = await temporaryFolder();
    const config = {
      upstreams: [{ name: "local", url: upstream.url }],
      limits: { keep_alive_ms: 6 },
      audit: { file: "logs/audit.jsonl" },
    };
    await Deno.writeTextFile(join(folder, "dragoman.yaml"), JSON.stringify(config));
    const port = freePort();
    const program = startProgram(folder, ["serve", "--workers", "2", "--port", `${port}`], [
      "--allow-write=logs",
    ]);
    await program.until(/is ready/);
    const ask = async ({ name, row, tool }: (typeof ROWS)[number], task: string) => {
      const { path, body } = row.request({ task, ...(tool === undefined ? {} : { tool }) });
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      const count = (raw: string) => raw.match(BEATS[name]!)?.length ?? 0;
      const raw = await readWatching(response, (raw) => count(raw) >= 2 && beaten.resolve());
      return { ...row.read({ status: response.status, ...raw }), raw: raw.text };
    };
    for (const asked of ROWS) {
      beaten = Promise.withResolvers();
      const { text, raw } = await ask(asked, "Hi");
      assert.equal(text, "Done.", asked.name);
      assert.ok((raw.match(BEATS[asked.name]!)?.length ?? 0) >= 2, `${asked.name}: ${raw}`);
      const { error } = await ask(asked, "too long");
      assert.match(
        error ?? "",
        /^prompt is too long: 9 tokens > 8 maximum|^The input token count \(9\)/,
        asked.name,
      );
    }
    program.interrupt();
    const { code, stderr } = await program.end();
    assert.equal(code, 0, stderr);
    const log = await Deno.readTextFile(join(folder, "logs", "audit.jsonl"));
    for (const reason of ["kept_alive", "prompt_too_long"]) {
      assert.ok(log.split(`"reason":"${reason}"`).length > ROWS.length, reason);
    }
  },
});
