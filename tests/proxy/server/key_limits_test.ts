import assert from "node:assert/strict";
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { createKeyLimits } from "../../../src/proxy/server/key_limits.ts";
import {
  MemoryQuotas,
  type QuotaRequest,
  type Quotas,
  type QuotaUse,
} from "../../../src/proxy/store/quota.ts";
import { askChat, bracketService, startProxy, testConfig, TOOLS } from "../../support/proxy.ts";
import { TOOL, WIRE_TABLE } from "../../support/wire_table.ts";
import { startUpstream, USAGE } from "../../support/scripted_upstream.ts";
import { sampled } from "../../support/fuzz.ts";

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
    origin: proxy.origin,
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

/** Content codings, as clients name them, and how they compress. */
const CODINGS: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
  identity: (body) => body,
  gzip: gzipSync,
  "x-gzip": gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  "gzip, br": (body) => brotliCompressSync(gzipSync(body)),
};

/** An answer that states no tokens. */
const UNCOUNTED = {
  stream:
    `data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
  body: '{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}',
};

Deno.test("a request's bytes count decoded and as they are read, whatever its head states, on every wire", async () => {
  await using upstream = startUpstream(({ path }) =>
    path.includes("chat") ? { raw: UNCOUNTED } : { error: { status: 200, body: "{}" } }
  );
  await using proxy = await limited({ tokens_per_minute: 1e9 }, upstream.url);
  const task = "many words ".repeat(4000);
  const asked = [
    ...WIRE_TABLE.map((row) => row.request({ task })),
    ...WIRE_TABLE.map((row) => row.request({ task, tool: TOOL })),
    { path: "/v1/embeddings", body: { input: task } },
    { path: "/v1/completions", body: { prompt: task, stream: true } },
  ];
  let count = 0;
  for (const { path, body } of sampled(asked, 3)) {
    for (const [coding, compress] of Object.entries(CODINGS)) {
      for (const isChunked of [false, true]) {
        const bytes = compress(new TextEncoder().encode(JSON.stringify(body)));
        const response = await fetch(proxy.origin + path, {
          method: "POST",
          headers: {
            authorization: `Bearer ${KEY}`,
            "content-type": "application/json",
            "content-encoding": coding,
          },
          body: isChunked ? ReadableStream.from([bytes.slice(0, 9), bytes.slice(9)]) : new Uint8Array(bytes),
        });
        assert.equal(response.status, 200, `${path} ${coding} ${await response.text()}`);
        if (!response.bodyUsed) await response.text();
        count++;
        await until(() => proxy.uses.length === count);
        const tokens = proxy.uses.at(-1)!.tokens;
        assert.ok(tokens > 11_000 && tokens < 13_000, `${path} ${coding} chunked: ${isChunked}: ${tokens}`);
      }
    }
  }
});

Deno.test("a body that isn't what its coding states counts as the bytes that it has", async () => {
  await using upstream = startUpstream({ error: { status: 200, body: "{}" } });
  await using proxy = await limited({ tokens_per_minute: 1e9 }, upstream.url);
  const bytes = new TextEncoder().encode("not compressed ".repeat(4000));
  const torn = gzipSync(crypto.getRandomValues(new Uint8Array(60_000))).slice(0, 50_000);
  for (const [at, body] of [bytes, torn].entries()) {
    const headers = { authorization: `Bearer ${KEY}`, "content-encoding": "gzip" };
    await (await fetch(`${proxy.origin}/v1/embeddings`, {
      method: "POST",
      headers,
      body: new Uint8Array(body),
    })).text();
    await until(() => proxy.uses.length === at + 1);
    assert.ok(proxy.uses[at]!.tokens > 12_000, String(proxy.uses[at]!.tokens));
    assert.equal(upstream.requests.length, at + 1);
  }
});

Deno.test("a limit of tokens asks every stream for its tokens, and a client that didn't ask sees none of it", async () => {
  await using upstream = startUpstream({ text: "hello [[t {}]]" });
  for (const limit of ["tokens_per_minute", "tokens_per_day"]) {
    await using proxy = await limited({ [limit]: 1e9 }, upstream.url);
    let count = 0;
    for (const tools of [undefined, TOOLS]) {
      for (
        const stream_options of [undefined, null, {}, { include_usage: false }, {
          include_usage: true,
          more: 1,
        }]
      ) {
        const response = await proxy.ask(KEY, "/v1/chat/completions", {
          stream: true,
          tools,
          stream_options,
        });
        const text = await response.text();
        const isAsked = stream_options !== null && stream_options !== undefined && "more" in stream_options;
        assert.equal(text.includes('"choices":[]'), isAsked, text);
        assert.equal(text.includes("total_tokens"), isAsked);
        assert.match(text, /hel/);
        assert.match(text, /data: \[DONE\]\n\n$/);
        count++;
        await until(() => proxy.uses.length === count);
        assert.equal(proxy.uses.at(-1)!.tokens, USAGE.total_tokens);
        const sent = JSON.parse(upstream.requests.at(-1)!.body);
        assert.deepEqual(sent.stream_options, { ...stream_options, include_usage: true });
      }
    }
    // An answer that isn't streamed states them anyway.
    await (await proxy.ask(KEY)).text();
    assert.equal(JSON.parse(upstream.requests.at(-1)!.body).stream_options, undefined);
  }
  await using free = await limited({ requests_per_minute: 1000 }, upstream.url);
  await (await free.ask(KEY, undefined, { stream: true })).text();
  assert.equal(JSON.parse(upstream.requests.at(-1)!.body).stream_options, undefined);
});

Deno.test("tokens that an answer outside the chat states count, but not those in its text", async () => {
  const body = JSON.stringify({
    data: [],
    text: '"usage":{"total_tokens":1}',
    usage: { prompt_tokens: 4000, total_tokens: 4000 },
  });
  const types = { "application/json": 4000, "text/plain": undefined };
  for (const [type, wanted] of Object.entries(types)) {
    await using upstream = startUpstream({ error: { status: 200, body, headers: { "content-type": type } } });
    await using proxy = await limited({ tokens_per_minute: 1e9 }, upstream.url);
    await (await proxy.ask(KEY, "/v1/embeddings")).text();
    await until(() => proxy.uses.length === 1);
    if (wanted === undefined) assert.ok(proxy.uses[0]!.tokens < 500);
    else assert.equal(proxy.uses[0]!.tokens, wanted);
  }
});

Deno.test("tokens that can't be a count give nothing back and count as unstated", async () => {
  let usage: Record<string, unknown> = {};
  await using upstream = startUpstream(() => ({ text: "hello", usage: usage as Record<string, number> }));
  await using proxy = await limited({ tokens_per_minute: 1e9 }, upstream.url);
  const odd = [-5_000_000, 1e308, 0.5, "9", null, { total: 1 }];
  for (const total of odd) {
    usage = { prompt_tokens: total, completion_tokens: total, total_tokens: total };
    await (await proxy.ask(KEY)).text();
  }
  await until(() => proxy.uses.length === odd.length);
  for (const { tokens } of proxy.uses) assert.ok(tokens > 0 && tokens < 1000, String(tokens));
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
