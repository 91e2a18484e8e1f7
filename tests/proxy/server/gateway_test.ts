import assert from "node:assert/strict";
import { createGateway, type RequestHandler } from "../../../src/proxy/server/gateway.ts";
import { testConfig } from "../../support/proxy.ts";

function testHandler(more: Partial<RequestHandler> = {}): RequestHandler {
  return {
    config: testConfig(),
    health: () => ({ status: "ok", upstreams: ["local"] }),
    respond: (request) => Promise.resolve(new Response(`${request.method} ${new URL(request.url).pathname}`)),
    ...more,
  };
}

Deno.test("createGateway answers a probe while the handler answers nothing", async () => {
  const { handle } = createGateway(() => testHandler({ respond: () => new Promise(() => {}) }));
  for (const method of ["GET", "HEAD"]) {
    for (const path of ["/health", "/health/"]) {
      const response = await handle(new Request(`http://localhost${path}`, { method }));
      assert.deepEqual(await response.json(), { status: "ok", upstreams: ["local"] });
    }
  }
});

Deno.test("createGateway gives a probe without a key only the status", async () => {
  const { handle } = createGateway(() => testHandler({ clientKeys: ["secret"] }));
  const ask = async (headers: HeadersInit) =>
    await (await handle(new Request("http://localhost/health", { headers }))).json();
  assert.deepEqual(await ask({}), { status: "ok" });
  assert.deepEqual(await ask({ "x-dragoman-key": "secret" }), { status: "ok", upstreams: ["local"] });
});

Deno.test("createGateway sends everything else to the handler of the moment", async () => {
  let handler = testHandler();
  const { handle } = createGateway(() => handler);
  const ask = async (path: string, init?: RequestInit) =>
    await (await handle(new Request(`http://localhost${path}`, init))).text();
  assert.equal(await ask("/health", { method: "POST" }), "POST /health");
  assert.equal(await ask("/v1/models"), "GET /v1/models");
  handler = testHandler({ respond: () => Promise.resolve(new Response("another")) });
  assert.equal(await ask("/v1/models"), "another");
  handler = testHandler({ respond: () => Promise.reject(new Error("out of order")) });
  assert.match(await ask("/v1/models"), /internal_error.*out of order|out of order.*internal_error/);
});

Deno.test("createGateway refuses a web page of another site, and answers a preflight", async () => {
  const { handle } = createGateway(() => testHandler());
  const headers = { origin: "https://other.example" };
  assert.equal((await handle(new Request("http://localhost/health", { headers }))).status, 403);
  assert.equal((await handle(new Request("http://localhost/v1/models", { method: "OPTIONS" }))).status, 204);
});

Deno.test("createGateway reports what is refused, but not that the page has no key yet", async () => {
  const reported: string[] = [];
  const { handle } = createGateway(() =>
    testHandler({
      respond: () => Promise.resolve(new Response("{}", { status: 401 })),
      unwatched: ({ method, path, status }) => reported.push(`${method} ${path} ${status}`),
    })
  );
  const ask = (path: string, init?: RequestInit) => handle(new Request(`http://localhost${path}`, init));
  await ask("/_dragoman/status");
  await ask("/_dragoman/live", { headers: { accept: "text/event-stream" } });
  await ask("/_dragoman/status", { headers: { authorization: "Bearer wrong" } });
  await ask("/_dragoman/session", { method: "POST", body: "wrong" });
  await ask("/metrics");
  await ask("/v1/models");
  assert.deepEqual(
    reported,
    ["GET /_dragoman/status 401", "POST /_dragoman/session 401", "GET /metrics 401", "GET /v1/models 401"],
  );
});

Deno.test("Gateway.drain tells who asks /health/ready before it takes no more requests", async () => {
  const gateway = createGateway(() => testHandler());
  const started = await gateway.start();
  assert.ok("url" in started);
  const ask = async (path: string) => {
    const response = await fetch(started.url + path);
    return `${response.status} ${response.headers.get("connection")} ${await response.text()}`;
  };
  assert.match(await ask("/health/ready"), /^200 keep-alive/);
  const seen = Promise.withResolvers<void>();
  const drained = gateway.drain(1000, { notice: () => seen.promise });
  assert.equal(await ask("/health/ready"), '503 close {"status":"draining"}');
  assert.match(await ask("/health"), /^200 close/);
  assert.equal(await ask("/v1/models"), "200 close GET /v1/models");
  seen.resolve();
  await drained;
  await assert.rejects(fetch(`${started.url}/health`));
});

Deno.test("Gateway.drain knows that no one has asked /health/ready", async () => {
  const gateway = createGateway(() => testHandler());
  await gateway.start();
  const asked: boolean[] = [];
  await gateway.drain(1000, { notice: (isAsked) => Promise.resolve(void asked.push(isAsked)) });
  assert.deepEqual(asked, [false]);
});

Deno.test("createGateway lets streams pass a proxy that collects answers", async () => {
  const types = {
    "text/event-stream; charset=utf-8": "no",
    "application/x-ndjson": "no",
    "text/plain": null,
  };
  for (const [type, wanted] of Object.entries(types)) {
    const respond = () => Promise.resolve(new Response("", { headers: { "content-type": type } }));
    const response = await createGateway(() => testHandler({ respond })).handle(
      new Request("http://localhost/v1/x"),
    );
    assert.equal(response.headers.get("x-accel-buffering"), wanted);
  }
});
