/**
 * Broken ends are reported as broken: connections that break anywhere, answers of another shape or coding than their
 * head promises, and a server that stops. Through real sockets.
 *
 * @module
 */
import assert from "node:assert/strict";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { bracketService, startProxy, testConfig, TOOLS } from "../support/proxy.ts";
import { connectRaw, postText } from "../support/raw_client.ts";
import {
  chunked,
  type RawRequest,
  startRawUpstream,
  STREAM_HEAD,
  textEvent,
} from "../support/raw_upstream.ts";

const CHAT = "/v1/chat/completions";
const CALL = '[[t {"a": 12345678901234567890}]]';

/** Sends one chat to a proxy in front of a raw upstream; gives everything the client receives. */
async function exchange(
  answer: (request: RawRequest) => void,
  { stream = true, tools = TOOLS, headers = {}, body }: {
    stream?: boolean;
    tools?: unknown;
    headers?: Record<string, string>;
    body?: Uint8Array<ArrayBuffer>;
  } = {},
): Promise<{ response: Response; text: string }> {
  await using upstream = await startRawUpstream(answer);
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const chat = JSON.stringify({ model: "m", stream, tools, messages: [{ role: "user", content: "hi" }] });
  const response = await fetch(proxy.origin + CHAT, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body ?? chat,
  });
  return { response, text: await response.text() };
}

/** The data of every event, parsed where it is JSON; throws on anything that is not an event. */
function events(text: string): unknown[] {
  assert.ok(text.endsWith("\n\n"), JSON.stringify(text.slice(-80)));
  return text.split("\n\n").filter((block) => block !== "").map((block) => {
    assert.match(block, /^data: /);
    return block === "data: [DONE]" ? "[DONE]" : JSON.parse(block.slice(6));
  });
}

const codeOf = (event: unknown) => (event as { error?: { code?: string } }).error?.code;

const BREAKS: Readonly<Record<string, string>> = {
  "inside an event": `${chunked(textEvent("words"))}${chunked('data: {"id":"c1","cho')}`,
  "between two events": chunked(textEvent("words")),
  "while a call is open": chunked(textEvent('words [[t {"a":')),
  "after a call": chunked(textEvent("[[t {}]]")),
};

for (const [where, sent] of Object.entries(BREAKS)) {
  for (const how of ["reset", "end"] as const) {
    Deno.test(`a connection that breaks (${how}) ${where} ends with an error event of its own and no [DONE]`, async () => {
      const { text } = await exchange((request) => {
        request.write(STREAM_HEAD + sent);
        setTimeout(() => request[how](), 50);
      });
      const all = events(text);
      assert.equal(codeOf(all.at(-1)), "upstream_broke_off", text);
      assert.ok(!all.includes("[DONE]"));
    });
  }
}

Deno.test("a connection that breaks in a passed-through stream ends with an error event of its own", async () => {
  const { text } = await exchange((request) => {
    request.write(STREAM_HEAD + chunked(textEvent("words")) + chunked('data: {"half'));
    setTimeout(() => request.reset(), 50);
  }, { tools: [] });
  const [words, error = "", ...rest] = text.split("\n\n");
  assert.equal(`${words}\n\n`, textEvent("words"));
  assert.equal(codeOf(JSON.parse(error.slice("data: ".length))), "upstream_broke_off");
  assert.deepEqual(rest, [""]);
});

function whole(content: string): string {
  return `{"id":"x","big":12345678901234567890,"huge":1e400,"choices":[{"index":0,"message":{"role":"assistant",` +
    `"content":${JSON.stringify(content)}},"finish_reason":"stop"}],"usage":{"total_tokens":1.50}}`;
}

const respond = (type: string, body: string | Uint8Array, more = "") => (request: RawRequest) => {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  request.write(
    `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${more}content-length: ${bytes.length}\r\n\r\n${text}`,
  );
};

Deno.test("a rewritten whole answer keeps every number that it does not concern, to the last digit", async () => {
  const { text } = await exchange(respond("application/json", whole(`before ${CALL}`)), { stream: false });
  assert.match(text, /"tool_calls"/);
  for (const part of ['"big":12345678901234567890', '"huge":1e400', '"total_tokens":1.50']) {
    assert.ok(text.includes(part), `${part} is not in ${text}`);
  }
});

Deno.test("events under another content type are read as events", async () => {
  const body = `${textEvent("[[t {}]]")}${textEvent("", { finish_reason: "stop" })}data: [DONE]\n\n`;
  for (const type of ["application/json", "text/plain", "application/octet-stream"]) {
    const { response, text } = await exchange(respond(type, body));
    assert.equal(response.headers.get("content-type"), "text/event-stream", type);
    assert.match(text, /"tool_calls".*\[DONE\]/s, type);
  }
});

Deno.test("JSON under another content type is read as JSON", async () => {
  for (const type of ["text/event-stream", "text/plain"]) {
    const { response, text } = await exchange(respond(type, whole("[[t {}]]")), { stream: false });
    assert.equal(response.headers.get("content-type"), "application/json", type);
    assert.match(text, /"tool_calls"/, type);
  }
});

Deno.test("JSON under text/event-stream is read although a stream was asked for", async () => {
  for (
    const [coding, bytes] of [["identity", whole("[[t {}]]")], ["gzip", gzipSync(whole("[[t {}]]"))]] as const
  ) {
    const answer = respond("text/event-stream", bytes, `content-encoding: ${coding}\r\n`);
    const { response, text } = await exchange(answer);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    assert.match(
      text,
      /^data: .*"tool_calls"[^]*"finish_reason":"tool_calls"[^]*\n\ndata: \[DONE\]\n\n$/,
      coding,
    );
  }
});

Deno.test("an error as JSON under text/event-stream arrives as an event", async () => {
  const { text } = await exchange(respond("text/event-stream", '{"error": {"message": "no such model"}}'));
  assert.equal(text, 'data: {"error": {"message": "no such model"}}\n\n');
});

Deno.test("an answer that is coded is read, whatever the coding is called", async () => {
  const body = whole("[[t {}]]");
  const table: [string, Uint8Array][] = [
    ["GZIP, identity", gzipSync(body)],
    ["br", brotliCompressSync(body)],
    ["zstd", zstdCompressSync(body)],
  ];
  for (const [coding, bytes] of table) {
    const answer = respond("application/json", bytes, `content-encoding: ${coding}\r\n`);
    const { response, text } = await exchange(answer, { stream: false });
    assert.equal(response.headers.get("content-encoding"), null);
    assert.match(text, /"tool_calls"/, coding);
  }
});

Deno.test("a request that is coded is read, and goes on plain", async () => {
  let seen = "";
  const chat = JSON.stringify({ model: "m", tools: TOOLS, messages: [{ role: "user", content: "in gzip" }] });
  const { text } = await exchange((request) => {
    seen = request.text;
    respond("application/json", whole("[[t {}]]"))(request);
  }, { headers: { "content-encoding": "gzip" }, body: Uint8Array.from(gzipSync(chat)) });
  assert.match(text, /"tool_calls"/);
  assert.ok(seen.includes("in gzip") && !/content-encoding/i.test(seen), seen);
});

Deno.test("400 kB that decode to 400 MB are an error", async () => {
  const layer = gzipSync(new Uint8Array(40_000_000).fill(32), { level: 9 });
  for (const [start, code] of [["{", "answer_too_large"], ["", "unreadable_answer"]] as const) {
    const first = gzipSync(start);
    const bomb = new Uint8Array(first.length + layer.length * 10);
    bomb.set(first);
    for (let at = 0; at < 10; at++) bomb.set(layer, first.length + at * layer.length);
    const answer = respond("application/json", bomb, "content-encoding: gzip\r\n");
    const { response, text } = await exchange(answer, { stream: false });
    assert.deepEqual([response.status, codeOf(JSON.parse(text))], [502, code]);
  }
});

Deno.test("status 101 is never passed on", async () => {
  const { response, text } = await exchange((request) => {
    request.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
  });
  assert.equal(response.status, 502, text);
});

for (const [kind, tools] of [["translated", TOOLS], ["passed through", []]] as const) {
  Deno.test(`a server that stops ends a stream, ${kind}, with an error that says so, and in time`, async () => {
    await using upstream = await startRawUpstream((request) =>
      request.write(STREAM_HEAD + chunked(textEvent("words")))
    );
    const proxy = await startProxy(bracketService(testConfig(upstream.url)));
    const client = await connectRaw(proxy.origin);
    const body = JSON.stringify({
      model: "m",
      stream: true,
      tools,
      messages: [{ role: "user", content: "hi" }],
    });
    client.send(postText(CHAT, body));
    await client.until(/words/);
    const began = performance.now();
    await proxy.server.drain(50);
    assert.ok(performance.now() - began < 2000);
    assert.match(await client.rest(), /"code":"server_stopped"/);
  });

  Deno.test(`a server that stops answers a waiting request, ${kind}, with 503`, async () => {
    await using upstream = await startRawUpstream();
    const proxy = await startProxy(bracketService(testConfig(upstream.url)));
    const client = await connectRaw(proxy.origin);
    const body = JSON.stringify({
      model: "m",
      stream: false,
      tools,
      messages: [{ role: "user", content: "hi" }],
    });
    client.send(postText(CHAT, body));
    await upstream.next();
    await proxy.server.drain(50);
    assert.match(await client.rest(), /^HTTP\/1\.1 503 [^]*"code":"server_stopped"/);
  });
}

Deno.test("an answer that pauses for too long ends, translated or not: events with an error, other bytes by breaking", async () => {
  const limits = { silence_timeout_ms: 50 };
  const file =
    "HTTP/1.1 200 OK\r\ncontent-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  await using upstream = await startRawUpstream((request) => {
    const isChat = request.text.includes("chat");
    request.write(isChat ? STREAM_HEAD + chunked(textEvent("words")) : file + chunked("bytes"));
  });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url, { limits })));
  const ask = (path: string, body: string) => fetch(proxy.origin + path, { method: "POST", body });
  for (const tools of [TOOLS, []]) {
    const messages = [{ role: "user", content: "hi" }];
    const answer = await (await ask(CHAT, JSON.stringify({ model: "m", stream: true, tools, messages })))
      .text();
    assert.match(answer, /words[^]*"code":"silence_timeout"/);
  }
  await assert.rejects(ask("/v1/files", "x").then((response) => response.text()));
});
