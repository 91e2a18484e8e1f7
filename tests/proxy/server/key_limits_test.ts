import assert from "node:assert/strict";
import { createKeyLimits } from "../../../src/proxy/server/key_limits.ts";
import {
  MemoryQuotas,
  type QuotaRequest,
  type Quotas,
  type QuotaUse,
} from "../../../src/proxy/store/quota.ts";
import { askChat, bracketService, startProxy, testConfig } from "../../support/proxy.ts";
import { startUpstream, USAGE } from "../../support/scripted_upstream.ts";

const KEY = "a-client-key-that-is-long";
const OTHER = "another-client-key-as-long";

/** A proxy with limits; `uses` gets what each answer used. */
async function limited(perKey: Record<string, number>, url: string) {
  const uses: QuotaUse[] = [];
  const names = new Set<string>();
  const own = new MemoryQuotas(() => performance.now());
  const quotas: Quotas = {
    admit: (request: QuotaRequest) => (names.add(request.key), own.admit(request)),
    renew: (request) => own.renew(request),
    release: (use) => (uses.push(use), own.release(use)),
  };
  const keyLimits = createKeyLimits(quotas);
  const service = {
    ...bracketService(testConfig(url, { limits: { per_key: perKey } })),
    clientKeys: [KEY, OTHER],
    keyNames: new Map([[OTHER, "alice"]]),
  };
  const proxy = await startProxy(service, { keyLimits });
  const ask = (
    key: string,
    path = "/v1/chat/completions",
    body: Record<string, unknown> = {},
    signal?: AbortSignal,
  ) =>
    askChat(proxy.origin, {
      path,
      body,
      headers: { authorization: `Bearer ${key}` },
      ...(signal ? { signal } : {}),
    });
  return {
    ask,
    keyLimits,
    uses,
    names,
    async [Symbol.asyncDispose]() {
      keyLimits.close();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a key over its requests a minute gets 429 in its wire's form, with the seconds to wait", async () => {
  await using upstream = startUpstream({ text: "hello" });
  await using proxy = await limited({ requests_per_minute: 2 }, upstream.url);
  for (let count = 0; count < 2; count++) {
    assert.equal((await (await proxy.ask(KEY)).text()).includes("hello"), true);
  }
  const forms: Readonly<Record<string, (body: Record<string, unknown>) => unknown>> = {
    "/v1/chat/completions": ({ error }) => [Reflect.get(error!, "type"), Reflect.get(error!, "code")],
    "/v1/messages": ({ type, error }) => [type, Reflect.get(error!, "type")],
    "/v1/responses": ({ error }) => Reflect.get(error!, "code"),
    "/api/chat": ({ error }) => typeof error,
    "/v1beta/models/m:generateContent": ({ error }) => Reflect.get(error!, "status"),
    "/v1/embeddings": ({ error }) => Reflect.get(error!, "code"),
  };
  const wanted = [
    ["rate_limit_error", "rate_limit_exceeded"],
    ["error", "rate_limit_error"],
    "rate_limit_exceeded",
    "string",
    "RESOURCE_EXHAUSTED",
    "rate_limit_exceeded",
  ];
  for (const [index, [path, read]] of Object.entries(forms).entries()) {
    const response = await proxy.ask(KEY, path);
    assert.equal(response.status, 429, path);
    const seconds = Number(response.headers.get("retry-after"));
    assert.ok(seconds >= 1 && seconds <= 30, `${path}: ${seconds} s`);
    const text = await response.text();
    assert.match(text, /2 requests a minute/);
    assert.deepEqual(read(JSON.parse(text)), wanted[index], path);
  }
  assert.equal(upstream.requests.length, 2);
  assert.equal(
    (await (await proxy.ask(OTHER)).text()).includes("hello"),
    true,
    "another key has its own share",
  );
  assert.deepEqual([...proxy.keyLimits.refusals], [["requests", 6]]);
  assert.ok([...proxy.names].every((name) => /^[0-9a-f]{32}$/.test(name)), "no key is kept");
});

Deno.test("a key's tokens are what the upstream states, for streams, whole answers and other wires", async () => {
  await using upstream = startUpstream({ text: "hello" });
  const most = 2.5 * USAGE.total_tokens;
  await using proxy = await limited({ tokens_per_minute: most }, upstream.url);
  await (await proxy.ask(KEY)).text();
  await (await proxy.ask(KEY, "/v1/chat/completions", {
    stream: true,
    stream_options: { include_usage: true },
  })).text();
  const other = await proxy.ask(KEY, "/v1/messages", { max_tokens: 100, tools: [] });
  assert.match(await other.text(), /hello/);
  await until(() => proxy.uses.length === 3);
  assert.deepEqual(proxy.uses.map(({ tokens }) => tokens), Array(3).fill(USAGE.total_tokens));
  const response = await proxy.ask(KEY);
  assert.equal(response.status, 429);
  assert.match(await response.text(), /45 tokens a minute/);
});

Deno.test("a key has no more answers at a time, and a client that leaves makes room", async () => {
  await using upstream = startUpstream(() =>
    upstream.requests.length > 1 ? { text: "hello" } : { fate: "silent" }
  );
  await using proxy = await limited({ streams: 1 }, upstream.url);
  const left = new AbortController();
  const first = proxy.ask(KEY, undefined, {}, left.signal).catch(() => "left");
  await upstream.next();
  const refused = await proxy.ask(KEY);
  assert.equal(refused.status, 429);
  assert.match(await refused.text(), /limit of 1 answer at a time/);
  left.abort();
  assert.equal(await first, "left");
  await until(() => proxy.uses.length === 1);
  const answered = await proxy.ask(KEY);
  assert.equal(answered.status, 200);
  await answered.text();
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

Deno.test("a key over its requests or tokens a day gets 429 with its name and the limit, on every wire", async () => {
  await using upstream = startUpstream({ text: "hello" });
  const table = [["requests_per_day", 1, "1 request a day"], ["tokens_per_day", 1, "1 token a day"]] as const;
  for (const [limit, most, told] of table) {
    await using proxy = await limited({ [limit]: most }, upstream.url);
    for (const key of [KEY, OTHER]) {
      assert.equal((await (await proxy.ask(key)).text()).includes("hello"), true);
      while (!proxy.uses.some(({ key: used }) => [...proxy.names].at(-1) === used)) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    for (const path of ["/v1/chat/completions", "/v1/messages", "/v1/responses", "/api/chat"]) {
      const named = await proxy.ask(OTHER, path);
      const text = await named.text();
      assert.equal(named.status, 429, `${limit} ${path}`);
      assert.ok(text.includes(`The client key of alice has reached its limit of ${told}`), text);
      assert.ok(text.includes(`limits.per_key.${limit}`), text);
      assert.ok((await (await proxy.ask(KEY, path)).text()).includes("This client key has reached"), path);
      assert.ok(Number(named.headers.get("retry-after")) > 60);
    }
  }
});
