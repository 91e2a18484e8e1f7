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

/** Hosts that have more than a name and a port. A `URL` would read the first one as that of this machine. */
function malformedHosts(): Record<string, readonly [request: string, status: RegExp]> {
  const hosts = [
    "evil@127.0.0.1",
    "localhost@evil.example",
    "@localhost",
    ":secret@localhost",
    "localhost/v1",
    "localhost?a",
  ];
  hosts.push(
    "localhost#a",
    "localhost\\v1",
    "localhost:80@127.0.0.1",
    "localhost,evil.example",
    "local host",
    "127.0.0.1:99999",
  );
  const rows = hosts.map((host) =>
    [`the host ${host}`, `GET /v1/models HTTP/1.1\r\nhost: ${host}\r\n\r\n`] as const
  );
  const targets = [
    "http://evil@127.0.0.1/v1/models",
    "http://@localhost/v1/models",
    "http:\\\\evil@localhost/v1/models",
  ]
    .map((target) => [`the target ${target}`, `GET ${target} HTTP/1.1\r\nhost: localhost\r\n\r\n`] as const);
  return Object.fromEntries(
    [...rows, ...targets].map(([name, request]) => [name, [request, /^HTTP\/1\.1 400/]]),
  );
}

/** Paths of a server that decodes twice, or that cuts a segment at a semicolon, as Tomcat does. */
function climbingPaths(): Record<string, readonly [request: string, status: RegExp]> {
  const paths = [
    "..;/",
    "..;a=b/",
    "..%3b/",
    "..%3Ba/",
    "%2e%2e;/",
    ".%2e;/",
    "%252e%252e%252f",
    "%252e%252e/",
    "..%252f",
  ];
  paths.push(
    "%25252e%25252e%25252f",
    "a/..;/..;/",
    "%252e%252e%255c",
    "..%00/",
    "..%20/",
    "100%25/%252e%252e/",
    "%25c0%25ae%25c0%25ae/",
  );
  paths.push("%2525252525252e/");
  return Object.fromEntries(
    paths.map((path) => [
      `the path ${path}`,
      [`GET /v1/${path}admin HTTP/1.1\r\nhost: localhost\r\n\r\n`, /^HTTP\/1\.1 404/],
    ]),
  );
}

const REFUSED: Readonly<Record<string, readonly [request: string, status: RegExp]>> = {
  "HTTP/1.0 without a host": ["GET /v1/models HTTP/1.0\r\n\r\n", /^HTTP\/1\.[01] (400|403)/],
  "HTTP/1.1 without a host": ["GET /v1/models HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 (400|403)/],
  "an empty host": ["GET /v1/models HTTP/1.1\r\nhost:\r\n\r\n", /^HTTP\/1\.1 (400|403)/],
  "two hosts": [
    "GET /v1/models HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\n\r\n",
    /^HTTP\/1\.1 (400|403)/,
  ],
  ...malformedHosts(),
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
  ...climbingPaths(),
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
