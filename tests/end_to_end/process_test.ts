/**
 * The real process: what becomes of open answers when it is told to stop, and how much memory hostile bodies take.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { TOOLS } from "../support/proxy.ts";
import { connectRaw, postText } from "../support/raw_client.ts";
import {
  chunked,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
  STREAM_HEAD,
  textEvent,
} from "../support/raw_upstream.ts";
import { ServerProcess } from "../support/server_process.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const CHAT = "/v1/chat/completions";
const DRAIN_MS = 300;
/** What the drain limit, the farewell and the end of the process take together, on a busy machine. */
const STOP_MAXIMUM_MS = DRAIN_MS + 5000;
const MEMORY_MAXIMUM = 100 * 1024 * 1024;

async function withProxy(
  answer: (request: RawRequest) => void,
  run: (proxy: ServerProcess, upstream: RawUpstream) => Promise<void>,
): Promise<void> {
  await using upstream = await startRawUpstream(answer);
  const folder = await Deno.makeTempDir();
  const config = join(folder, "dragoman.yaml");
  await Deno.writeTextFile(
    config,
    `upstreams: [{ name: local, url: "${upstream.url}" }]\nlimits: { drain_timeout_ms: ${DRAIN_MS} }\n`,
  );
  const args = [MAIN, "serve", "--port", "PORT", "--config", config];
  const proxy = await ServerProcess.start({ name: "dragoman", folder, args });
  try {
    await run(proxy, upstream);
  } finally {
    const code = await proxy.stop();
    await Deno.remove(folder, { recursive: true });
    assert.equal(code, 0);
  }
}

/** A chat in one piece; `isWaiting`: its upstream never answers. */
function chat(options: { stream: boolean; tools: unknown; isWaiting?: boolean }): string {
  const { stream, tools, isWaiting = false } = options;
  const messages = [{ role: "user", content: isWaiting ? "please wait" : "hi" }];
  return postText(CHAT, JSON.stringify({ model: "m", stream, tools, messages }));
}

Deno.test("SIGTERM ends every open answer at the drain limit, says that Dragoman stopped, and exits with 0", async () => {
  const answer = (request: RawRequest) => {
    if (!request.text.includes("please wait")) request.write(STREAM_HEAD + chunked(textEvent("words")));
  };
  await withProxy(answer, async (proxy, upstream) => {
    const asked = [
      chat({ stream: true, tools: TOOLS }),
      chat({ stream: true, tools: [] }),
      chat({ stream: true, tools: TOOLS, isWaiting: true }),
      chat({ stream: false, tools: TOOLS, isWaiting: true }),
      chat({ stream: false, tools: [], isWaiting: true }),
    ];
    const clients = await Promise.all(asked.map(async (text) => {
      const client = await connectRaw(proxy.url);
      client.send(text);
      await upstream.next();
      return client;
    }));
    await Promise.all(clients.slice(0, 2).map((client) => client.until(/words/)));
    const began = performance.now();
    const [code, ...texts] = await Promise.all([proxy.stop(), ...clients.map((client) => client.rest())]);
    const took = performance.now() - began;
    assert.equal(code, 0);
    assert.ok(took >= DRAIN_MS && took < STOP_MAXIMUM_MS, `${took} ms`);
    texts.forEach((text, at) => {
      assert.match(
        text,
        at < 2 ? /words[^]*"code":"server_stopped"/ : /^HTTP\/1\.1 503 [^]*"code":"server_stopped"/,
      );
      assert.doesNotMatch(text, /upstream_broke_off|\[DONE\]/);
    });
  });
});

Deno.test("a body that is refused, broken off or answered early never ends the process", async () => {
  const answer = (request: RawRequest) => request.write("HTTP/1.1 204 No Content\r\n\r\n");
  await withProxy(answer, async (proxy, upstream) => {
    const body = "x".repeat(5_000_000);
    const large = "content-length: 90000000";
    const sent: Readonly<Record<string, readonly [text: string, status: number]>> = {
      "too large": [`POST ${CHAT} HTTP/1.1\r\nhost: x\r\n${large}\r\n\r\n${body.repeat(14)}`, 413],
      "from a page": [
        `POST ${CHAT} HTTP/1.1\r\nhost: localhost\r\norigin: null\r\n${large}\r\n\r\n${body}`,
        403,
      ],
      "for no route": [`POST /nothing HTTP/1.1\r\nhost: localhost\r\n${large}\r\n\r\n${body}`, 404],
    };
    for (const [name, [text, status]] of Object.entries(sent)) {
      const client = await connectRaw(proxy.url);
      client.send(text.replace("host: x", "host: localhost"));
      assert.match(await client.until(/\r\n\r\n/), new RegExp(`^HTTP/1\\.1 ${status}`), name);
      client.send(body);
      client.reset();
    }
    // Half a body, then the client leaves.
    const half = await connectRaw(proxy.url);
    half.send(`POST ${CHAT} HTTP/1.1\r\nhost: localhost\r\n${large}\r\n\r\n${body}`);
    half.reset();
    // The upstream answers a request that passes through before its body has come.
    const early = await connectRaw(proxy.url);
    early.send(`POST /v1/files HTTP/1.1\r\nhost: localhost\r\n${large}\r\n\r\n${body}`);
    early.send(body);
    early.reset();
    assert.match(await (await fetch(`${proxy.url}/health`)).text(), /"ok"/);
    assert.ok(upstream.count <= 1);
  });
});

/** Ten layers of spaces after a beginning: 400 kB that become 400 MB. */
function bomb(start: string): Uint8Array {
  const layer = gzipSync(new Uint8Array(40_000_000).fill(32), { level: 9 });
  const first = gzipSync(start);
  const bytes = new Uint8Array(first.length + layer.length * 10);
  bytes.set(first);
  for (let at = 0; at < 10; at++) bytes.set(layer, first.length + at * layer.length);
  return bytes;
}

Deno.test("400 kB that decode to 400 MB take less than 100 MB of memory, in an answer and in a request", async () => {
  const answers: Readonly<Record<string, Uint8Array>> = {
    "application/json": bomb("{"),
    "text/plain": bomb(""),
  };
  let type = "application/json";
  const answer = (request: RawRequest) => {
    const bytes = answers[type]!;
    request.write(
      `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-encoding: gzip\r\n` +
        `content-length: ${bytes.length}\r\n\r\n${toBinary(bytes)}`,
    );
  };
  await withProxy(answer, async (proxy) => {
    await (await fetch(`${proxy.url}${CHAT}`, { method: "POST", body: "{}" })).text();
    const peak = async (work: () => Promise<void>) => {
      await proxy.resetPeak();
      const before = await proxy.residentBytes();
      await work();
      const grown = await proxy.peakResidentBytes() - before;
      assert.ok(grown < MEMORY_MAXIMUM, `${(grown / 1e6).toFixed(0)} MB`);
    };
    for (type of Object.keys(answers)) {
      await peak(async () => {
        const client = await connectRaw(proxy.url);
        client.send(chat({ stream: false, tools: TOOLS }));
        assert.match(
          await client.until(/"code":"\w+"/),
          /^HTTP\/1\.1 502 [^]*"code":"(answer_too_large|unreadable_answer)"/,
        );
        client.close();
      });
    }
    await peak(async () => {
      const response = await fetch(`${proxy.url}${CHAT}`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
        body: Uint8Array.from(bomb('{"model": "m"')),
      });
      assert.equal(response.status, 413, await response.text());
    });
  });
});

/** Bytes as Latin-1, which `TextDecoder` reads as Windows-1252. */
function toBinary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
