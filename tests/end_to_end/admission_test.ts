/**
 * Nobody spends the user's key who may not: web pages, rebound names, machines without a client key. Through real
 * sockets, since a browser's headers are ones that `fetch` refuses to send.
 *
 * @module
 */
import assert from "node:assert/strict";
import { bracketService, startProxy, testConfig, TOOLS } from "../support/proxy.ts";
import { connectRaw } from "../support/raw_client.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { askRow, onRows, TOOL, WIRE_TABLE } from "../support/wire_table.ts";
import type { Service } from "../../src/proxy/exchange/service.ts";

const UPSTREAM_KEY = "upstream-key-of-the-user";
const CLIENT_KEYS = ["first-client-key-0001", "second-client-key-0002"];

/** The routes of all wires, streamed and whole. */
const PATHS = WIRE_TABLE.map((row) => row.request({ task: "hi" }).path);

/** Every kind of route, each with a method. */
const ROUTES: readonly (readonly [string, string])[] = [
  ...PATHS.map((path) => ["POST", path] as const),
  ["POST", "/openai/v1/chat/completions"],
  ["GET", "/v1/models"],
  ["GET", "/health"],
  ["GET", "/metrics"],
  ["GET", "/_dragoman/status"],
  ["POST", "/_dragoman/reload"],
  ["GET", "/nothing"],
];

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends one request with exactly these headers. */
async function ask(
  origin: string,
  { method = "POST", path = "/v1/chat/completions", headers = {} }: {
    method?: string;
    path?: string;
    headers?: Readonly<Record<string, string>>;
  },
): Promise<Answer> {
  const client = await connectRaw(origin);
  const body = method === "POST"
    ? JSON.stringify({ model: "m", messages: [{ role: "user", content: "Hi." }], tools: TOOLS })
    : "";
  const all = { host: new URL(origin).host, connection: "close", "content-length": body.length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  client.send(`${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`);
  const [head = "", rest = ""] = (await client.rest()).split(/\r\n\r\n([^]*)/);
  return { status: Number(head.split(" ")[1]), head, body: rest };
}

function service(url: string, listen: Record<string, unknown> = {}, clientKeys: string[] = []): Service {
  const config = testConfig(url, { listen: { port: 0, ...listen } });
  return { ...bracketService(config, new Map([["local", UPSTREAM_KEY]])), clientKeys };
}

const pages = () => Promise.resolve(new Response("a page"));

const FOREIGN: Readonly<Record<string, Record<string, string>>> = {
  "a page on the web": { origin: "https://evil.example", "content-type": "text/plain" },
  "a page without an origin": { origin: "null" },
  "a page that only looks local": { origin: "http://localhost.evil.example" },
  "a picture on another site": { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
  "a rebound name": { host: "evil.example:8787" },
  "a rebound name with its own origin": { host: "evil.example", origin: "http://evil.example" },
  "a name that begins like this machine": { host: "127.0.0.1.evil.example" },
};

for (const [who, headers] of Object.entries(FOREIGN)) {
  Deno.test(`${who} reaches no route and spends no key`, async () => {
    await using upstream = startUpstream({ text: "secret answer" });
    await using proxy = await startProxy(service(upstream.url), { pages });
    for (const [method, path] of ROUTES) {
      const { status, head, body } = await ask(proxy.origin, { method, path, headers });
      assert.equal(status, 403, `${method} ${path}: ${body}`);
      assert.match(JSON.parse(body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, "")).error.code, /^foreign_/);
      assert.ok(!/access-control/i.test(head), head);
    }
    assert.equal(upstream.requests.length, 0);
  });
}

Deno.test("programs, editors and pages of this machine may ask, and get no CORS header", async () => {
  await using upstream = startUpstream({ text: "answer" });
  await using proxy = await startProxy(service(upstream.url));
  const port = new URL(proxy.origin).port;
  const table: Record<string, string>[] = [
    {},
    { host: `localhost:${port}` },
    { host: `[::1]:${port}` },
    { origin: "vscode-webview://abc", "sec-fetch-site": "cross-site" },
    { origin: "vscode-file://vscode-app" },
    { origin: "http://localhost:3000", "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "none" },
  ];
  for (const headers of table) {
    const { status, head, body } = await ask(proxy.origin, { headers });
    assert.equal(status, 200, `${JSON.stringify(headers)}: ${body}`);
    assert.ok(!/access-control/i.test(head));
  }
});

Deno.test("listen.hosts and listen.origins let a name and a page in, and the page may read", async () => {
  await using upstream = startUpstream((request) => ({
    error: { status: 200, body: request.method, headers: { "access-control-allow-origin": "*" } },
  }));
  await using proxy = await startProxy(
    service(upstream.url, { hosts: ["proxy.lan"], origins: ["https://chat.example"] }),
  );
  const headers = { host: "Proxy.LAN:80", origin: "https://chat.example", "sec-fetch-site": "cross-site" };
  const listed = await ask(proxy.origin, { headers });
  assert.equal(listed.status, 200);
  assert.match(listed.head, /access-control-allow-origin: https:\/\/chat\.example/);
  // What the upstream allows does not count.
  const unlisted = await ask(proxy.origin, { headers: { origin: "http://localhost:1" } });
  assert.ok(!/access-control/i.test(unlisted.head), unlisted.head);
});

Deno.test("a preflight is answered here and never forwarded", async () => {
  await using upstream = startUpstream({ text: "never" });
  await using proxy = await startProxy(service(upstream.url, { origins: ["https://chat.example"] }));
  const preflight = (origin: string) =>
    ask(proxy.origin, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type, authorization",
      },
    });
  const listed = await preflight("https://chat.example");
  assert.equal(listed.status, 204);
  assert.match(listed.head, /access-control-allow-headers: content-type, authorization/);
  const local = await preflight("http://localhost:3000");
  assert.equal(local.status, 204);
  assert.ok(!/access-control/i.test(local.head));
  assert.equal((await preflight("https://evil.example")).status, 403);
  assert.equal(upstream.requests.length, 0);
});

/** What a browser loads a request for; a `fetch` of a page has \`empty\`. */
const DESTINATIONS = [
  ...[
    "document",
    "iframe",
    "frame",
    "fencedframe",
    "embed",
    "object",
    "worker",
    "sharedworker",
    "serviceworker",
  ],
  ...[
    "script",
    "style",
    "image",
    "audio",
    "video",
    "track",
    "font",
    "manifest",
    "xslt",
    "report",
    "json",
    "Document",
  ],
  ...["paintworklet", "audioworklet", "webidentity", "speculationrules", "something new", ""],
];

Deno.test("a browser loads no part of the API as a page, a frame, a worker or a part of a page", async () => {
  await using upstream = startUpstream({ text: "<script src=/v1/own.js></script>" });
  await using proxy = await startProxy(service(upstream.url));
  const routes = [...ROUTES.filter(([_, path]) => /\/(?:v1|v1beta|api)\//.test(path)), [
    "GET",
    "/upstream/local/v1/a",
  ]] as const;
  for (const destination of DESTINATIONS) {
    const headers = { "sec-fetch-dest": destination, "sec-fetch-site": "same-origin" };
    for (const [method, path] of routes) {
      const { status, body } = await ask(proxy.origin, { method, path, headers });
      assert.equal(status, 403, `${method} ${path} as ${destination}: ${body}`);
      assert.match(body, /browser_destination|\/_dragoman\//);
    }
  }
  assert.equal(upstream.requests.length, 0);
  const fetched = await ask(proxy.origin, { headers: { "sec-fetch-dest": "empty" } });
  assert.equal(fetched.status, 200);
});

/** Headers with which an upstream's answer would reach beyond its own body, in a browser. */
const REACHING = {
  "content-security-policy": "default-src *",
  "service-worker-allowed": "/",
  refresh: "0;url=/_dragoman/",
  "clear-site-data": '"*"',
  link: "</v1/own.js>; rel=preload; as=script",
  "report-to": '{"group":"a"}',
  "reporting-endpoints": 'a="https://evil.example"',
  nel: "{}",
  "x-content-type-options": "sniff",
  "strict-transport-security": "max-age=1",
  "speculation-rules": '"/v1/rules"',
  "accept-ch": "sec-ch-ua-model",
  "critical-ch": "sec-ch-ua-model",
  "origin-trial": "token",
  "set-login": "logged-in",
  "use-as-dictionary": 'match="/*"',
  "sourcemap": "/v1/map.json",
};

Deno.test("whatever the API answers is nothing that a browser would run", async () => {
  const script = (status: number) => ({
    error: { status, body: "<script>1</script>", headers: { "content-type": "text/html", ...REACHING } },
  });
  let status = 200;
  await using upstream = startUpstream(() => status === 0 ? { text: "answer" } : script(status));
  await using proxy = await startProxy(service(upstream.url));
  const chat = JSON.stringify({ model: "m", messages: [{ role: "user", content: "hi" }] });
  const asked: [method: string, path: string, body?: string][] = [
    ...["/v1/page.html", "/v1/models", "/api/tags", "/nothing", "/health"].map((
      path,
    ): [string, string] => ["GET", path]),
    ["POST", "/v1/chat/completions", chat],
    ["POST", "/v1/chat/completions", "{}"],
    ["OPTIONS", "/v1/chat/completions"],
    ...WIRE_TABLE.map((row): [string, string, string] => {
      const { path, body } = row.request({ task: "hi", tool: TOOL });
      return ["POST", path, JSON.stringify(body)];
    }),
  ];
  for (status of [0, 200, 404, 500]) {
    for (const [method, path, body = null] of asked) {
      const response = await fetch(proxy.origin + path, { method, body });
      await response.body?.cancel();
      const { headers } = response;
      const what = `${status} ${method} ${path}`;
      assert.equal(headers.get("content-security-policy"), "sandbox; default-src 'none'", what);
      assert.equal(headers.get("x-content-type-options"), "nosniff", what);
      const others = Object.keys(REACHING).slice(1).filter((name) => name !== "x-content-type-options");
      assert.deepEqual(others.filter((name) => headers.has(name)), [], what);
    }
  }
});

Deno.test("with client keys every route but /health needs one, and no key reaches the upstream", async () => {
  await using upstream = startUpstream({ text: "answer" });
  await using proxy = await startProxy(service(upstream.url, {}, CLIENT_KEYS));
  for (
    const headers of [{}, { authorization: "Bearer first-client-key-000" }, { authorization: "Bearer " }]
  ) {
    for (const path of ["/v1/chat/completions", "/v1/embeddings", "/roo/v1/chat/completions"]) {
      const { status, body } = await ask(proxy.origin, { path, headers });
      assert.equal(status, 401);
      const { error } = JSON.parse(body.replace(/^[0-9a-f]+\r\n|\r\n0\r\n\r\n$/g, ""));
      assert.deepEqual(
        [error.type, error.code, error.param],
        ["invalid_request_error", "invalid_api_key", null],
      );
    }
  }
  await onRows(WIRE_TABLE, async (row) => {
    const { status, error } = await askRow(proxy.origin, { row, question: { task: "hi" } });
    assert.equal(status, 401);
    assert.match(error ?? "", /key/);
  });
  assert.match((await ask(proxy.origin, { method: "GET", path: "/health" })).body, /\{"status":"ok"\}/);
  assert.equal(upstream.requests.length, 0);
  const table: Record<string, string>[] = [
    { authorization: "Bearer first-client-key-0001" },
    { authorization: "Bearer second-client-key-0002" },
    { "x-api-key": "first-client-key-0001" },
    { "x-goog-api-key": "first-client-key-0001" },
    { "x-dragoman-key": "first-client-key-0001", "api-key": "second-client-key-0002" },
  ];
  for (const headers of table) {
    assert.equal((await ask(proxy.origin, { headers })).status, 200);
    await onRows(WIRE_TABLE, async (row) => {
      assert.equal((await askRow(proxy.origin, { row, question: { task: "hi" }, headers })).text, "answer");
    });
  }
  for (const { headers } of upstream.requests) {
    assert.equal(headers.get("authorization"), `Bearer ${UPSTREAM_KEY}`);
    assert.ok(![...headers].some(([, value]) => value.includes("client-key")));
  }
});

/** Places of a URL in which a person puts a key by accident. */
const KEY_PLACES = [
  ...[
    "/KEY/v1/chat/completions",
    "/KEY/v1/models",
    "/v1/KEY",
    "/upstream/KEY/v1/models",
    "/v1/models?key=KEY",
  ],
  ...[
    "/v1beta/models/m:generateContent?key=KEY",
    "/KEY/api/chat",
    "/KEY",
    "/KEY/",
    "/_dragoman/KEY",
    "/v1/a/KEY/b",
  ],
];

Deno.test("a key in a URL lets no one in, reaches no upstream and isn't printed", async () => {
  await using upstream = startUpstream({ text: "never" });
  const printed: unknown[] = [];
  const unwatched = (request: unknown) => void printed.push(request);
  const pages = () => Promise.resolve(new Response("no page", { status: 404 }));
  await using proxy = await startProxy(service(upstream.url, {}, CLIENT_KEYS), { pages, unwatched });
  const spellings = (
    key: string,
  ) => [
    key,
    key.replace("-", "%2d"),
    key.replace("-", "%252d"),
    key.replace("-", "%25252d"),
    [...key].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(""),
  ];
  for (const key of spellings(CLIENT_KEYS[1]!)) {
    for (const place of KEY_PLACES) {
      for (const method of ["GET", "POST"]) {
        for (const headers of [{}, { authorization: `Bearer ${CLIENT_KEYS[0]}` }]) {
          const path = place.replace("KEY", key);
          const { status, body } = await ask(proxy.origin, { method, path, headers });
          assert.ok(
            status === 401 || (place.startsWith("/_dragoman") && status === 404),
            `${path} ${status}: ${body}`,
          );
          assert.doesNotMatch(body, /client-key-0/);
        }
      }
    }
  }
  assert.equal(upstream.requests.length, 0);
  assert.equal(printed.length, 5 * KEY_PLACES.length * 4);
  assert.doesNotMatch(JSON.stringify(printed), /client-key|2dkey|%6b%65%79/);
  // The upstream's key is no client's, and isn't printed either.
  assert.equal((await ask(proxy.origin, { method: "GET", path: `/${UPSTREAM_KEY}/v1/models` })).status, 401);
  assert.doesNotMatch(JSON.stringify(printed), /upstream-key/);
});

Deno.test("X-Dragoman-Key leaves Authorization to the upstream that has no key of its own", async () => {
  await using upstream = startUpstream({ text: "answer" });
  const config = testConfig(upstream.url);
  await using proxy = await startProxy({ ...bracketService(config), clientKeys: CLIENT_KEYS });
  const headers = { "x-dragoman-key": "first-client-key-0001", authorization: "Bearer own-upstream-key" };
  assert.equal((await ask(proxy.origin, { headers })).status, 200);
  const arrived = upstream.requests[0]?.headers;
  assert.equal(arrived?.get("authorization"), "Bearer own-upstream-key");
  assert.equal(arrived?.get("x-dragoman-key"), null);
});

Deno.test("an edit that takes the client keys away does not open a proxy on the network", async () => {
  await using upstream = startUpstream({ text: "answer" });
  await using proxy = await startProxy(service(upstream.url, { hostname: "0.0.0.0" }, CLIENT_KEYS));
  proxy.server.swap(service(upstream.url));
  const origin = proxy.origin.replace("0.0.0.0", "127.0.0.1");
  assert.equal((await ask(origin, {})).status, 401);
  proxy.server.swap(service(upstream.url, { open: true }));
  assert.equal((await ask(origin, {})).status, 200);
});

Deno.test("a path that climbs out of the base URL once it is decoded goes nowhere", async () => {
  await using upstream = startUpstream({ text: "never" });
  await using proxy = await startProxy(service(upstream.url));
  const paths = [
    "/v1/%2e%2e%2fadmin",
    "/v1/a/..%2f..%2fadmin",
    "/v1/%2E%2E%5Cadmin",
    "/v1/../admin",
    "/v1/%ff",
  ];
  for (const path of paths) {
    assert.equal((await ask(proxy.origin, { method: "GET", path })).status, 404, path);
  }
  assert.equal(upstream.requests.length, 0);
});
