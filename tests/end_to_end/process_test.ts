/**
 * The real process: what becomes of open answers when it is told to stop, and how much memory hostile bodies take.
 *
 * @module
 */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { type ProcessStage, startProcessStage, WORKERS } from "../support/process_stage.ts";
import { connectRaw } from "../support/raw_client.ts";
import { chunked, STREAM_HEAD, textEvent } from "../support/raw_upstream.ts";
import { LAST_CHUNK, STREAM_END, wantsStream, wholeBody, wholeHead } from "../support/wire_stage.ts";
import {
  askRow,
  onRows,
  readRaw,
  TOOL,
  WIRE_TABLE,
  type WireRow,
  type WireTool,
} from "../support/wire_table.ts";

const DRAIN_MS = 300;
/** What the drain limit, the farewell and the end of the process take together, on a busy machine. */
const STOP_MAXIMUM_MS = DRAIN_MS + 5000;
const MEMORY_MAXIMUM = 100 * 1024 * 1024;

/** The configuration: how long open answers may go on. */
const CONFIG = `limits: { drain_timeout_ms: ${DRAIN_MS} }\n`;

for (const workers of WORKERS) {
  Deno.test(`SIGTERM ends every open answer at the drain limit in its wire's form, and exits with 0, workers: ${workers}`, async () => {
    let arrived = 0;
    await using stage = await startProcessStage((request) => {
      if (/"task-words"/.test(request.text)) request.write(STREAM_HEAD + chunked(textEvent("words")));
      if (request.text.startsWith("POST")) arrived++;
    }, { config: CONFIG, workers });
    const asked: Promise<void>[] = [];
    /** A client that waits for its answer, and then for what becomes of it. */
    const ask = async (row: WireRow, { task, tool }: { task: string; tool: WireTool | undefined }) => {
      const model = `m${asked.length}`;
      const { path, body } = row.request({ task, tool, model });
      const response = await fetch(stage.server.url + path, { method: "POST", body: JSON.stringify(body) });
      const raw = { status: response.status, ...await readRaw(response) };
      const { status, end, error, text } = row.read({ ...raw, text: raw.text.replaceAll(model, "m") });
      const about = `${row.name}: ${task}`;
      const isBegun = task === "task-words";
      assert.deepEqual([status, end, text], [isBegun ? 200 : 503, "error", isBegun ? "words" : ""], about);
      assert.match(error ?? "", /Dragoman stopped/, about);
      assert.equal((await stage.lineOf(model)).error, "server_stopped", about);
    };
    for (const row of WIRE_TABLE) {
      for (const tool of [TOOL, undefined]) {
        asked.push(ask(row, { task: "wait", tool }));
        if (row.isStreamed) asked.push(ask(row, { task: "task-words", tool }));
      }
    }
    while (arrived < asked.length) await new Promise((resolve) => setTimeout(resolve, 10));
    const began = performance.now();
    const [code] = await Promise.all([stage.server.stop(), ...asked]);
    const took = performance.now() - began;
    assert.equal(code, 0);
    assert.ok(took >= DRAIN_MS && took < STOP_MAXIMUM_MS, `${took} ms`);
  });
}

Deno.test("a body that is refused, broken off or answered early never ends the process, on any wire", async () => {
  const config = `limits: { request_bytes_max: 1000000 }\n`;
  // The process also asks on its own which server the upstream is.
  let posted = 0;
  await using stage = await startProcessStage((request) => {
    if (request.text.startsWith("POST ")) posted++;
    request.write("HTTP/1.1 204 No Content\r\n\r\n");
  }, { config });
  const { url } = stage.server;
  const body = "x".repeat(2_000_000);
  const head = (path: string, more = "") =>
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\n${more}content-length: 90000000\r\n\r\n`;
  const refuse = async (text: string, status: number) => {
    const client = await connectRaw(url);
    client.send(text);
    assert.match(await client.until(/\r\n\r\n/), new RegExp(`^HTTP/1\\.1 ${status}`));
    client.send(body);
    client.reset();
  };
  await onRows(WIRE_TABLE, async (row) => {
    const { path } = row.request({ task: "never" });
    await refuse(head(path) + body, 413);
    await refuse(head(path, "origin: null\r\n") + body, 403);
    // Half a body, then the client leaves.
    const half = await connectRaw(url);
    half.send(head(path) + body.slice(0, 1000));
    half.reset();
  });
  await refuse(head("/nothing") + body, 404);
  assert.equal(posted, 0);
  // The upstream answers a request that passes through before its body has come.
  const early = await connectRaw(url);
  early.send(head("/v1/files") + body);
  early.send(body);
  early.reset();
  await stage.assertAlive();
  assert.equal(await stage.server.stop(), 0);
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

Deno.test("400 kB that decode to 400 MB take less than 100 MB of memory, in an answer and in a request, on all wires", async () => {
  const answers: Readonly<Record<string, string>> = {
    "application/json": toBinary(bomb("{")),
    "text/plain": toBinary(bomb("")),
  };
  let type = "application/json";
  await using stage = await startProcessStage((request) => {
    const coded = `content-encoding: gzip\r\n\r\n${answers[type]!}`;
    request.write(wholeHead(answers[type]!.length, type).replace("\r\n\r\n", `\r\n${coded}`));
  });
  const { server } = stage;
  const peak = (work: () => Promise<unknown>) => assertSmall(stage, work);
  // The first answer loads what later ones need.
  await askRow(server.url, { row: WIRE_TABLE[1]!, question: { task: "hi", tool: TOOL } });
  const coded = Uint8Array.from(bomb('{"model": "m"'));
  for (const row of WIRE_TABLE.filter(({ isStreamed }) => !isStreamed)) {
    const question = { task: "hi", tool: TOOL };
    for (type of Object.keys(answers)) {
      await peak(async () =>
        assert.equal((await askRow(server.url, { row, question })).status, 502, row.name)
      );
    }
    await peak(async () => {
      const headers = { "content-type": "application/json", "content-encoding": "gzip" };
      const response = await fetch(server.url + row.request(question).path, {
        method: "POST",
        headers,
        body: coded,
      });
      assert.equal(row.read({ status: response.status, ...await readRaw(response) }).status, 413, row.name);
    });
  }
});

/** Pieces of five bytes: as many as are held of a stream of comments, and a whole answer. */
const COMMENTS = chunked(": x\n\n").repeat(12_000);
const LETTERS = chunked("xxxxx").repeat(12_000);

Deno.test("60 kB in pieces of five bytes take less than 100 MB of memory while an answer is read ahead, streamed and whole", async () => {
  await using stage = await startProcessStage((request) => {
    if (wantsStream(request)) {
      const words = chunked(textEvent("words")) + chunked(STREAM_END) + LAST_CHUNK;
      return request.write(STREAM_HEAD + COMMENTS + words);
    }
    const [start, end] = wholeBody("words").split("words").map(chunked);
    request.write(
      STREAM_HEAD.replace("text/event-stream", "application/json") + start + LETTERS + end + LAST_CHUNK,
    );
  });
  const { server } = stage;
  // The first answer loads what later ones need.
  await askRow(server.url, { row: WIRE_TABLE[1]!, question: { task: "hi", tool: TOOL } });
  for (const row of WIRE_TABLE.filter(({ wire }) => wire === "chat")) {
    await assertSmall(stage, async () => {
      const { text, end } = await askRow(server.url, { row, question: { task: "hi", tool: TOOL } });
      assert.deepEqual([end, text.length], ["whole", row.isStreamed ? 5 : 60_000], row.name);
    });
  }
});

/** Asserts that work takes little memory of a server. */
async function assertSmall(
  { server }: Pick<ProcessStage, "server">,
  work: () => Promise<unknown>,
): Promise<void> {
  await server.resetPeak();
  const before = await server.residentBytes();
  await work();
  const grown = await server.peakResidentBytes() - before;
  assert.ok(grown < MEMORY_MAXIMUM, `${(grown / 1e6).toFixed(0)} MB`);
}

/** Bytes as Latin-1, which `TextDecoder` reads as Windows-1252. */
function toBinary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
