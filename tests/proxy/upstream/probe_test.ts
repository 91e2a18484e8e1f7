import assert from "node:assert/strict";
import { upstreamSchema } from "../../../src/proxy/config/schema.ts";
import { isGatewayError, probeUpstream } from "../../../src/proxy/upstream/probe.ts";

const upstream = upstreamSchema.parse({ name: "local", url: "http://127.0.0.1/v1/" });

async function probe(
  answer: () => Response | Promise<Response>,
  more: { key?: string; signal?: AbortSignal } = {},
) {
  const sent: Request[] = [];
  const result = await probeUpstream(upstream, {
    key: more.key,
    signal: more.signal,
    timeoutMs: 60_000,
    send: (request) => {
      sent.push(request);
      return Promise.resolve().then(answer);
    },
  });
  return { result, sent };
}

const page = (status: number) => new Response("<html>", { status, headers: { "content-type": "text/html" } });

Deno.test("probeUpstream asks for the models with the upstream's key", async () => {
  const { result, sent } = await probe(() => Response.json({ data: [{ id: "a" }, { id: "b" }] }), {
    key: "k",
  });
  assert.deepEqual(result, { kind: "answers", models: 2 });
  assert.deepEqual(sent.map(({ method, url }) => [method, url]), [["GET", "http://127.0.0.1/v1/models"]]);
  assert.equal(sent[0]?.headers.get("authorization"), "Bearer k");
});

Deno.test("probeUpstream tells servers that answer from pages, gateways and wrong keys", async () => {
  const table: [Response, string | undefined, string][] = [
    [new Response("no such path", { status: 404 }), undefined, "answers"],
    [new Response("{", { headers: { "content-type": "application/json" } }), undefined, "answers"],
    [new Response(null, { status: 401 }), undefined, "answers"],
    [new Response(null, { status: 401 }), "k", "refuses_key"],
    [new Response(null, { status: 403 }), "k", "refuses_key"],
    [page(200), undefined, "web_page"],
    [page(404), undefined, "web_page"],
    [page(502), undefined, "unavailable"],
    [new Response(null, { status: 503 }), undefined, "unavailable"],
  ];
  for (const [response, key, kind] of table) {
    const { result } = await probe(() => response, key === undefined ? {} : { key });
    assert.equal(result.kind, kind, `${response.status} ${key}`);
  }
});

Deno.test("probeUpstream gives the reason without the URL, which may contain a password", async () => {
  const message =
    "error sending request for url (http://me:secret@h/v1/models): client error (Connect): refused";
  const { result } = await probe(() => Promise.reject(new TypeError(message)));
  assert.deepEqual(result, { kind: "silent", cause: "client error (Connect): refused" });
});

Deno.test("probeUpstream ends when the server stops", async () => {
  const { result } = await probe(() => Promise.reject(new Error("aborted")), { signal: AbortSignal.abort() });
  assert.equal(result.kind, "silent");
});

Deno.test("isGatewayError knows the statuses of a gateway", () => {
  assert.deepEqual([200, 500, 502, 503, 504].map(isGatewayError), [false, false, true, true, true]);
});
