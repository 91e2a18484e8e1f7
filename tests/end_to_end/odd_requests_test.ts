/**
 * Requests that no ordinary client sends, byte by byte to a proxy whose upstream key must not be spent. Each is
 * answered or refused by Dragoman itself, and the proxy goes on.
 *
 * @module
 */
import assert from "node:assert/strict";
import { bracketService, startProxy, testConfig } from "../support/proxy.ts";
import { connectRaw } from "../support/raw_client.ts";
import { startRawUpstream } from "../support/raw_upstream.ts";
import { WIRE_TABLE } from "../support/wire_table.ts";

const REFUSED: Readonly<Record<string, readonly [request: string, status: RegExp]>> = {
  "HTTP/1.0 without a host": ["GET /v1/models HTTP/1.0\r\n\r\n", /^HTTP\/1\.[01] (400|403)/],
  "HTTP/1.1 without a host": ["GET /v1/models HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 (400|403)/],
  "an empty host": ["GET /v1/models HTTP/1.1\r\nhost:\r\n\r\n", /^HTTP\/1\.1 (400|403)/],
  "two hosts": [
    "GET /v1/models HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n",
    /^HTTP\/1\.1 (400|403)/,
  ],
  "a host with a user": [
    "GET /v1/models HTTP/1.1\r\nhost: localhost@evil.example\r\n\r\n",
    /^HTTP\/1\.1 (400|403)/,
  ],
  "a host that begins like this machine": [
    "GET /v1/models HTTP/1.1\r\nhost: localhost.evil.example\r\n\r\n",
    /^HTTP\/1\.1 403/,
  ],
  "a target on another host": [
    "GET http://evil.example/v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n",
    /^HTTP\/1\.1 403/,
  ],
  "the origin null": [
    "GET /v1/models HTTP/1.1\r\nhost: localhost\r\norigin: null\r\n\r\n",
    /^HTTP\/1\.1 403/,
  ],
  "another site without an origin": [
    "GET /v1/models HTTP/1.1\r\nhost: localhost\r\nsec-fetch-site: Cross-Site\r\n\r\n",
    /^HTTP\/1\.1 403/,
  ],
  "a preflight of a page": [
    "OPTIONS /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\norigin: https://evil.example\r\n\r\n",
    /^HTTP\/1\.1 403/,
  ],
  "a preflight": ["OPTIONS /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n\r\n", /^HTTP\/1\.1 204/],
  "a length that is not a number": [
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1x\r\n\r\n{",
    /^HTTP\/1\.1 400/,
  ],
  "a negative length": [
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-length: -1\r\n\r\n{",
    /^HTTP\/1\.1 400/,
  ],
  "a chunk that is too long to count": [
    "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
    /^HTTP\/1\.1 400/,
  ],
  "a path that climbs": ["GET /v1/%2e%2e%2fadmin HTTP/1.1\r\nhost: localhost\r\n\r\n", /^HTTP\/1\.1 404/],
  "a path that climbs with backslashes": [
    "GET /v1/..%5cadmin HTTP/1.1\r\nhost: localhost\r\n\r\n",
    /^HTTP\/1\.1 404/,
  ],
  "a head of 100 kB": [
    `GET /v1/models HTTP/1.1\r\nhost: localhost\r\nx: ${"x".repeat(100_000)}\r\n\r\n`,
    /^HTTP\/1\.1 431/,
  ],
};

/** The routes of all wires: what is odd about a request of chat completions is odd about theirs. */
const PATHS = WIRE_TABLE.map((row) => row.request({ task: "never" }).path);

for (const [name, [request, status]] of Object.entries(REFUSED)) {
  Deno.test(`${name} reaches no model`, async () => {
    await using upstream = await startRawUpstream();
    await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
    for (const text of new Set(PATHS.map((path) => request.replace("/v1/chat/completions", path)))) {
      using client = await connectRaw(proxy.origin);
      client.send(text);
      assert.match(await client.until(/\r\n\r\n/), status);
    }
    assert.match(await (await fetch(`${proxy.origin}/health`)).text(), /"ok"/);
    assert.equal(upstream.count, 0);
  });
}

Deno.test("a request that asks for an upgrade gets an ordinary answer", async () => {
  await using upstream = await startRawUpstream((request) => {
    assert.doesNotMatch(request.text, /upgrade|websocket/i);
    request.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
  });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  using client = await connectRaw(proxy.origin);
  client.send(
    "GET /v1/models HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n",
  );
  assert.match(await client.until(/ok/), /^HTTP\/1\.1 200/);
});
