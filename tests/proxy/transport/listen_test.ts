import assert from "node:assert/strict";
import {
  type Caller,
  CALLER_LEFT,
  listen,
  type Listener,
  SERVER_STOPPED,
} from "../../../src/proxy/transport/listen.ts";
import { connectRaw, postText } from "../../support/raw_client.ts";

interface Running extends AsyncDisposable {
  readonly origin: string;
  readonly listener: Listener;
}

async function start(
  handle: (request: Request, caller: Caller) => Promise<Response>,
  timeouts: { headersTimeoutMs?: number; requestTimeoutMs?: number } = {},
): Promise<Running> {
  const listener = await listen({
    hostname: "127.0.0.1",
    port: 0,
    headersTimeoutMs: 60_000,
    requestTimeoutMs: 60_000,
    ...timeouts,
    handle,
    refuse: (status) => new Response(`refused ${status}`, { status }),
  });
  return {
    origin: `http://127.0.0.1:${listener.port}`,
    listener,
    async [Symbol.asyncDispose]() {
      listener.cut();
      await listener.close();
    },
  };
}

const echo = async (request: Request) =>
  new Response(await request.text(), { status: 201, headers: { "x-path": new URL(request.url).pathname } });

Deno.test("listen hands over method, path, headers and body and sends the response", async () => {
  await using server = await start(echo);
  const body = "ü€".repeat(50_000);
  const response = await fetch(`${server.origin}/a/b?c`, { method: "POST", body });
  assert.equal(response.status, 201);
  assert.equal(response.headers.get("x-path"), "/a/b");
  assert.equal(await response.text(), body);
});

Deno.test("listen keeps every value of a header that comes several times, both ways", async () => {
  await using server = await start((request) => {
    const headers = new Headers([["set-cookie", "a=1"], ["set-cookie", "b=2"]]);
    return Promise.resolve(new Response(request.headers.get("x-many"), { headers }));
  });
  const response = await fetch(server.origin, { headers: [["x-many", "1"], ["x-many", "2"]] });
  assert.deepEqual(response.headers.getSetCookie(), ["a=1", "b=2"]);
  assert.equal(await response.text(), "1, 2");
});

Deno.test("listen drops the rest of a body that is cancelled, unread or half read, and serves the next request", async () => {
  const handlers: Readonly<Record<string, (request: Request) => Promise<unknown>>> = {
    "/cancelled": (request) => request.body!.cancel(),
    "/unread": () => Promise.resolve(),
    "/half": async (request) => await request.body!.getReader().read(),
  };
  await using server = await start(async (request) => {
    await handlers[new URL(request.url).pathname]?.(request);
    return new Response("next");
  });
  const body = "x".repeat(3_000_000);
  for (const path of Object.keys(handlers)) {
    using client = await connectRaw(server.origin);
    client.send(postText(path, body));
    await client.until(/next/);
    client.send("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await client.until(/next[^]*next/);
  }
});

Deno.test("listen refuses what is not a request, and closes the connection", async () => {
  await using server = await start(echo);
  const cases: Readonly<Record<string, string>> = {
    "no HTTP": "HELLO\r\n\r\n",
    "a malformed host": "GET / HTTP/1.1\r\nhost: a b<>\r\n\r\n",
    "a target that is no URL": "GET * HTTP/1.1\r\nhost: x\r\n\r\n",
    "a tunnel": "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n",
    "two lengths":
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
  };
  for (const [name, text] of Object.entries(cases)) {
    using client = await connectRaw(server.origin);
    client.send(text);
    assert.match(await client.until(/refused/), /^HTTP\/1\.1 400 [^]*refused 400/, name);
  }
});

Deno.test("listen survives a caller that resets its connection when it is refused", async () => {
  await using server = await start(echo);
  for (const request of ["CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n", "HELLO\r\n\r\n"]) {
    const client = await connectRaw(server.origin);
    client.send(request);
    await client.until(/refused 400/);
    client.reset();
    assert.equal(await (await fetch(server.origin)).text(), "");
  }
});

Deno.test("listen closes the connection of a caller that is refused and stays", async () => {
  await using server = await start(echo);
  const connections = [];
  for (const request of ["CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n", "HELLO\r\n\r\n"]) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.listener.port });
    await connection.write(new TextEncoder().encode(request));
    while (await connection.read(new Uint8Array(500)) !== null);
    connections.push(connection);
  }
  // The server has sent its end. It refuses bytes only once it has closed the connection.
  for (const connection of connections) {
    const sending = async () => {
      for (;;) {
        await connection.write(new Uint8Array(1));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    await assert.rejects(sending(), /reset|pipe/i);
    connection.close();
  }
});

Deno.test("listen refuses a head and a body that come too slowly", async () => {
  await using server = await start(echo, { headersTimeoutMs: 50, requestTimeoutMs: 100 });
  for (const text of ["", "GET / HTTP/1.1\r\nhost: x\r\n", postText("/", "body").slice(0, -1)]) {
    const client = await connectRaw(server.origin);
    client.send(text);
    assert.match(await client.rest(), /^HTTP\/1\.1 408 [^]*refused 408$/, text);
  }
});

Deno.test("listen aborts the signal of a caller that leaves, and only that", async () => {
  const signals: AbortSignal[] = [];
  const { promise: arrived, resolve } = Promise.withResolvers<AbortSignal>();
  await using server = await start(async (request, { signal }) => {
    signals.push(signal);
    await request.text();
    if (!request.url.endsWith("/wait")) return new Response("done");
    resolve(signal);
    return await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
      .catch(() => new Response("too late")) as Response;
  });
  await (await fetch(server.origin, { method: "POST", body: "x".repeat(5000) })).text();
  const client = await connectRaw(server.origin);
  client.send(postText("/wait", "x".repeat(5000)));
  const signal = await arrived;
  client.close();
  await new Promise<void>((resolve) =>
    signal.aborted ? resolve() : signal.addEventListener("abort", () => resolve())
  );
  assert.deepEqual(signals.map(({ aborted, reason }) => aborted ? reason : "over"), ["over", CALLER_LEFT]);
});

Deno.test("Listener.stop aborts what runs with a reason of its own, and close waits for it", async () => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  await using server = await start((_request, { signal }) => {
    resolve();
    return new Promise((resolve) =>
      signal.addEventListener("abort", () => resolve(new Response(String(signal.reason))))
    );
  });
  const response = fetch(server.origin);
  await arrived;
  const closed = server.listener.close();
  server.listener.stop();
  assert.equal(await (await response).text(), SERVER_STOPPED);
  await closed;
  await assert.rejects(fetch(server.origin));
});

for (const requests of [0, 1, 2, 3]) {
  Deno.test(`Listener.close closes a connection that waits after ${requests} requests`, async () => {
    await using server = await start(echo);
    const client = await connectRaw(server.origin);
    for (let count = 1; count <= requests; count++) {
      client.send(postText("/", `request ${count}`));
      await client.until(new RegExp(`request ${count}`));
    }
    let isOpen = false;
    const giveUp = setTimeout(() => {
      isOpen = true;
      client.close();
    }, 10_000);
    await Promise.all([server.listener.close(), client.rest()]);
    clearTimeout(giveUp);
    assert.ok(!isOpen);
  });
}

Deno.test("Listener.close waits for a request that was sent before the last answer was over", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await using server = await start(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/2") {
      arrive();
      await released;
    } else await arrived;
    return new Response(`answer ${pathname}`);
  });
  const client = await connectRaw(server.origin);
  client.send(["/1", "/2"].map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(""));
  await client.until(/answer \/1/);
  const closed = server.listener.close();
  while (await fetch(server.origin).then((response) => response.text(), () => undefined) !== undefined);
  release();
  assert.match(await client.rest(), /answer \/2/);
  await closed;
});

Deno.test("Listener.cut closes a connection whose request is still arriving", async () => {
  await using server = await start(echo);
  const client = await connectRaw(server.origin);
  client.send("GET / HTTP/1.1\r\nhost: x\r\n");
  const sending = setInterval(() => client.send("x-more: header\r\n"), 50);
  // The listener accepts connections in order.
  await (await fetch(server.origin)).text();
  const closed = server.listener.close();
  server.listener.cut();
  let isOpen = false;
  const giveUp = setTimeout(() => {
    isOpen = true;
    client.close();
  }, 10_000);
  await Promise.all([closed, client.rest()]);
  clearInterval(sending);
  clearTimeout(giveUp);
  assert.ok(!isOpen);
});

Deno.test("listen rejects where the address is taken", async () => {
  await using server = await start(echo);
  await assert.rejects(
    listen({
      hostname: "127.0.0.1",
      port: server.listener.port,
      headersTimeoutMs: 1000,
      requestTimeoutMs: 1000,
      handle: echo,
      refuse: (status) => new Response(null, { status }),
    }),
    { code: "EADDRINUSE" },
  );
});
