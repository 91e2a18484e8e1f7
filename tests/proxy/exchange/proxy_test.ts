import assert from "node:assert/strict";
import type { ContentEvent } from "../../../src/engine/event/event.ts";
import type { About } from "../../../src/proxy/exchange/exchange.ts";
import { hear } from "../../support/chunks.ts";
import { askChat, bracketService, startProxy, testConfig, TOOLS } from "../../support/proxy.ts";
import { startUpstream, USAGE } from "../../support/scripted_upstream.ts";

const CALL = 'Look: [[t {"a":"漢😀"}]]';

async function errorOf(response: Response): Promise<{ status: number; code: string; message: string }> {
  const { error } = await response.json();
  assert.equal(typeof error.type, "string");
  return { status: response.status, code: error.code, message: error.message };
}

Deno.test("proxyChat translates a streamed answer, usage and headers kept", async () => {
  await using upstream = startUpstream({ text: CALL });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const response = await askChat(proxy.origin, {
    body: { stream: true, stream_options: { include_usage: true } },
  });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  assert.equal(response.headers.get("x-upstream"), "yes");
  const answer = hear(await response.text());
  assert.equal(answer.choices[0]?.content, "Look: ");
  assert.equal(answer.choices[0]?.calls[0]?.arguments, '{"a":"漢😀"}');
  assert.match(answer.choices[0]?.calls[0]?.id ?? "", /^call_[0-9a-f]{32}$/);
  assert.deepEqual(
    [answer.choices[0]?.finishReasons, answer.usage, answer.isDone],
    [["tool_calls"], USAGE, true],
  );
});

Deno.test("proxyChat translates a whole answer, however the upstream encodes its body", async () => {
  for (const isCompressed of [false, true]) {
    await using upstream = startUpstream({ text: CALL, isCompressed });
    await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
    const whole = await (await askChat(proxy.origin)).json();
    assert.equal(whole.choices[0].message.tool_calls[0].function.arguments, '{"a":"漢😀"}');
    assert.equal(whole.choices[0].finish_reason, "tool_calls");
    const streamed = await askChat(proxy.origin, { body: { stream: true } });
    assert.equal(hear(await streamed.text()).choices[0]?.calls.length, 1);
  }
});

Deno.test("proxyChat passes the answer for an unknown client byte for byte", async () => {
  await using upstream = startUpstream({ text: CALL, lineEnd: "\r\n" });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  for (const stream of [true, false]) {
    const body = { stream, tools: undefined };
    const [direct, through] = await Promise.all([
      askChat(upstream.url.slice(0, -3), { body }).then((response) => response.text()),
      askChat(proxy.origin, { body }).then((response) => response.text()),
    ]);
    assert.equal(through, direct);
  }
});

Deno.test("proxyChat sends the client's bytes on as they came, and key, names and defaults where configured", async () => {
  await using upstream = startUpstream({ text: "x" });
  const { url } = upstream;
  const named = {
    name: "named",
    url,
    model_names: { m: "real-m" },
    defaults: { max_tokens: 7, stream: true },
  };
  const config = testConfig(undefined, { upstreams: [{ name: "plain", url }, named] });
  await using proxy = await startProxy(bracketService(config, new Map([["named", "secret"]])));
  const body =
    `{ "model" : "m", "messages": [{}],\n"seed": 12345678901234567890, "stream": false, "x-odd": [1.0], "tools": null }`;
  const headers = { authorization: "Bearer mine", "x-dragoman-client": "other" };
  const send = (path: string) => fetch(proxy.origin + path, { method: "POST", headers, body });
  await (await send("/v1/chat/completions?q=1")).text();
  await (await send("/upstream/named/v1/chat/completions")).text();
  const [plain, changed] = upstream.requests;
  assert.equal(plain?.body, body);
  assert.equal(plain?.path, "/v1/chat/completions?q=1");
  assert.equal(plain?.headers.get("authorization"), "Bearer mine");
  assert.equal(plain?.headers.get("accept-encoding"), "identity");
  assert.equal(plain?.headers.has("x-dragoman-client"), false);
  assert.equal(changed?.headers.get("authorization"), "Bearer secret");
  assert.equal(
    changed?.body,
    '{"model":"real-m","messages":[{}],"seed":12345678901234567890,"stream":false,"x-odd":[1.0],"tools":null,"max_tokens":7}',
  );
});

Deno.test("proxyChat lets path and header force a client, and lists the clients for a wrong one", async () => {
  await using upstream = startUpstream({ text: "[[t {}]]" });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const body = { tools: undefined };
  const ways = [
    { body, path: "/other/v1/chat/completions" },
    { body, headers: { "x-dragoman-client": "other" } },
  ];
  for (const way of ways) {
    const answer = await (await askChat(proxy.origin, way)).json();
    assert.equal(answer.choices[0].message.tool_calls.length, 1);
  }
  const wrong = await errorOf(await askChat(proxy.origin, { path: "/othr/v1/chat/completions" }));
  assert.deepEqual([wrong.status, wrong.code], [404, "client_not_found"]);
  assert.match(wrong.message, /"othr".*openai, other/);
});

Deno.test("passThrough passes any method with both bodies streaming", async () => {
  await using upstream = startUpstream({});
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const echo = async (path: string, init?: RequestInit) => {
    const response = await fetch(proxy.origin + path, { headers: { "x-echo": "kept" }, ...init });
    assert.equal(response.headers.get("x-echo"), "kept");
    return await response.json();
  };
  assert.deepEqual(await echo("/v1/models?a=b"), { method: "GET", path: "/v1/models?a=b", body: "" });
  const body = ReadableStream.from([new TextEncoder().encode("a"), new TextEncoder().encode("b")]);
  assert.deepEqual(await echo("/openai/v1/embeddings", { method: "POST", body }), {
    method: "POST",
    path: "/v1/embeddings",
    body: "ab",
  });
  assert.equal((await echo("/v1/files/1", { method: "DELETE" })).method, "DELETE");
});

Deno.test("proxyChat passes an upstream's error with status, headers and body", async () => {
  const error = { status: 429, body: '{"error":{"message":"slow down"}}', headers: { "retry-after": "3" } };
  await using upstream = startUpstream({ error });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const response = await askChat(proxy.origin, { body: { stream: true } });
  assert.deepEqual([response.status, response.headers.get("retry-after")], [429, "3"]);
  assert.equal(await response.text(), error.body);
});

Deno.test("proxyChat names the upstream that is unreachable", async () => {
  const gone = startUpstream({});
  await gone[Symbol.asyncDispose]();
  await using proxy = await startProxy(bracketService(testConfig(gone.url)));
  const error = await errorOf(await askChat(proxy.origin));
  assert.deepEqual([error.status, error.code], [502, "upstream_unreachable"]);
  assert.ok(error.message.includes(`${gone.url}/chat/completions`), error.message);
});

Deno.test("proxyChat gives up an upstream that does not begin, or pauses too long", async () => {
  await using silent = startUpstream({ text: CALL, fate: "silent" });
  await using first = await startProxy(
    bracketService(testConfig(silent.url, { limits: { first_byte_timeout_ms: 30 } })),
  );
  const late = await errorOf(await askChat(first.origin));
  assert.deepEqual([late.status, late.code], [504, "first_byte_timeout"]);
  await using pausing = startUpstream({ text: CALL, fate: "pause", fateAt: 0 });
  await using second = await startProxy(
    bracketService(testConfig(pausing.url, { limits: { silence_timeout_ms: 30 } })),
  );
  const response = await askChat(second.origin, { body: { stream: true } });
  const answer = hear(await response.text());
  assert.deepEqual(answer.errors.map((error) => error.code), ["silence_timeout"]);
  assert.equal(answer.isDone, false);
});

Deno.test("proxyChat ends an answer whose connection breaks, or just ends, inside a call as a truncated one with an error", async () => {
  for (const fate of ["break", "end"] as const) {
    await using upstream = startUpstream({ text: `[[t {"a":"${"x".repeat(100)}"}]]`, fate });
    await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
    const answer = hear(await (await askChat(proxy.origin, { body: { stream: true } })).text());
    assert.deepEqual(
      [answer.choices[0]?.finishReasons, answer.isDone, answer.errors.map(({ code }) => code)],
      [["length"], false, ["upstream_broke_off"]],
    );
    assert.throws(() => JSON.parse(answer.choices[0]?.calls[0]?.arguments ?? ""));
  }
});

Deno.test("proxyChat aborts the upstream when the client leaves, before the first byte and after", async () => {
  for (const fate of ["silent", "pause"] as const) {
    await using upstream = startUpstream({ text: "some text", fate });
    await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
    const client = new AbortController();
    const arrived = upstream.next();
    const asked = askChat(proxy.origin, { body: { stream: true }, signal: client.signal });
    const { left } = await arrived;
    if (fate === "pause") await (await asked).body?.getReader().read();
    client.abort();
    await asked.catch(() => undefined);
    await left;
  }
});

Deno.test("proxyChat stops an endless upstream when the client has read enough", async () => {
  await using upstream = startUpstream({ text: "on and on ", isEndless: true });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const response = await askChat(proxy.origin, { body: { stream: true } });
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await upstream.requests[0]?.left;
});

Deno.test("proxyChat refuses a request and an answer over their limits", async () => {
  const limits = { request_bytes_max: 1000, answer_bytes_max: 2000 };
  await using upstream = startUpstream({ text: "x".repeat(3000) });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url, { limits })));
  const body = { messages: [{ role: "user", content: "x".repeat(2000) }] };
  const request = await errorOf(await askChat(proxy.origin, { body }));
  assert.deepEqual([request.status, request.code], [413, "request_too_large"]);
  const answer = await errorOf(await askChat(proxy.origin));
  assert.deepEqual([answer.status, answer.code], [502, "answer_too_large"]);
});

Deno.test("proxyChat passes a request that is no JSON on, for the upstream to judge", async () => {
  await using upstream = startUpstream({ error: { status: 400, body: '{"error":"bad"}' } });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const response = await fetch(`${proxy.origin}/v1/chat/completions`, { method: "POST", body: "{not JSON" });
  assert.deepEqual([response.status, await response.text()], [400, '{"error":"bad"}']);
  assert.equal(upstream.requests[0]?.body, "{not JSON");
});

Deno.test("proxyChat carries large prompts, content lists and unknown fields to the upstream", async () => {
  await using upstream = startUpstream({ text: "x" });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const messages = [
    { role: "system", content: "漢é ".repeat(50_000) },
    {
      role: "user",
      content: [{ type: "text", text: "hi" }, { type: "image_url", image_url: { url: "data:," } }],
    },
  ];
  await (await askChat(proxy.origin, { body: { messages, top_k: 5, extra_body: { a: [null] } } })).text();
  const arrived = JSON.parse(upstream.requests[0]?.body ?? "");
  assert.deepEqual(arrived, { model: "m", messages, tools: TOOLS, top_k: 5, extra_body: { a: [null] } });
});

Deno.test("proxyChat reports each decision to its observer", async () => {
  await using upstream = startUpstream({ text: "[[t {}]]" });
  const seen: [ContentEvent["kind"], About][] = [];
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)), {
    observe: (event, about) => seen.push([event.kind, about]),
  });
  await (await askChat(proxy.origin, { body: { n: 1 } })).text();
  const about = { client: "openai", model: "m", choice: 0 };
  assert.deepEqual(seen, [["call_start", about], ["call_end", about]]);
});
