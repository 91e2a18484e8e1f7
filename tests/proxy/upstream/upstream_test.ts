import assert from "node:assert/strict";
import { configSchema } from "../../../src/proxy/config/schema.ts";
import {
  callUpstream,
  chooseUpstream,
  type Reach,
  SAMPLE_UPSTREAM,
  type UpstreamRequest,
} from "../../../src/proxy/upstream/upstream.ts";

const config = configSchema.parse({
  upstreams: [
    {
      name: "qwen",
      url: "http://127.0.0.1:1234/v1",
      models: ["qwen*coder", "q.w"],
      model_names: { small: "qwen3" },
    },
    { name: "rest", url: "http://127.0.0.1:1235/v1", models: ["gpt-*"] },
  ],
});

function outgoing(more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  const upstream = { ...SAMPLE_UPSTREAM, name: "far", url: "http://192.0.2.1:81/v1/" };
  const signal = new AbortController().signal;
  return {
    upstream,
    rest: "/models?a=b",
    method: "GET",
    headers: new Headers(),
    body: null,
    signal,
    ...more,
  };
}

function reach(more: Partial<Reach> & { limits?: Reach["limits"] } = {}): Reach {
  return { limits: config.limits, send: () => Promise.resolve(new Response()), ...more };
}

/** Answers never, until it is told to stop. */
function hang(request: Request): Promise<Response> {
  return new Promise((_, reject) =>
    request.signal.addEventListener("abort", () => reject(new Error("aborted")))
  );
}

Deno.test("chooseUpstream takes the first whose model names fit", () => {
  const cases: [model: string | undefined, name: string][] = [
    ["qwen3-coder", "qwen"],
    ["q.w", "qwen"],
    ["qxw", "model_not_found"],
    ["small", "qwen"],
    ["gpt-4", "rest"],
    ["other", "model_not_found"],
    [undefined, "qwen"],
  ];
  for (const [model, expected] of cases) {
    const chosen = chooseUpstream(config, { model });
    assert.equal("code" in chosen ? chosen.code : chosen.name, expected, model ?? "no model");
  }
});

Deno.test("chooseUpstream takes the one that the path names, whatever the model", () => {
  const chosen = chooseUpstream(config, { name: "rest", model: "qwen3-coder" });
  assert.equal("name" in chosen && chosen.name, "rest");
  const missing = chooseUpstream(config, { name: "rset" });
  assert.match("code" in missing ? missing.message : "", /"rset".*qwen, rest/);
});

Deno.test("chooseUpstream takes the sample model when there is no other", () => {
  assert.equal(chooseUpstream(configSchema.parse({}), { model: "any" }), SAMPLE_UPSTREAM);
});

Deno.test("callUpstream appends the path to the base URL and follows no redirect", async () => {
  let sent: Request | undefined;
  const answered = await callUpstream(
    outgoing(),
    reach({
      send: (request) => {
        sent = request;
        return Promise.resolve(new Response("x"));
      },
    }),
  );
  assert.ok("response" in answered);
  answered.deadline.stop();
  assert.equal(sent?.url, "http://192.0.2.1:81/v1/models?a=b");
  assert.equal(sent?.redirect, "manual");
});

Deno.test("callUpstream says which URL could not be reached and what to check", async () => {
  const error = await callUpstream(
    outgoing(),
    reach({ send: () => Promise.reject(new Error("connection refused")) }),
  );
  assert.ok("code" in error);
  assert.deepEqual([error.status, error.code], [502, "upstream_unreachable"]);
  assert.match(
    error.message,
    /"far" at http:\/\/192\.0\.2\.1:81\/v1\/models\?a=b: connection refused\. Check/,
  );
});

Deno.test("callUpstream gives up an answer that does not begin", async () => {
  const limits = { ...config.limits, first_byte_timeout_ms: 5 };
  const error = await callUpstream(outgoing(), reach({ limits, send: hang }));
  assert.ok("code" in error);
  assert.deepEqual([error.status, error.code], [504, "first_byte_timeout"]);
});

Deno.test("callUpstream tells a machine that is not there from a model that thinks", async () => {
  const never = (_: URL, signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  const impatient = { ...config.limits, connect_timeout_ms: 10 };
  const absent = await callUpstream(outgoing(), reach({ limits: impatient, send: hang, connect: never }));
  assert.equal("code" in absent && absent.code, "connect_timeout");
  const limits = { ...config.limits, connect_timeout_ms: 2, first_byte_timeout_ms: 40 };
  const thinking = await callUpstream(
    outgoing(),
    reach({ limits, send: hang, connect: () => Promise.resolve() }),
  );
  assert.equal("code" in thinking && thinking.code, "first_byte_timeout");
});

Deno.test("callUpstream stops when the client leaves", async () => {
  const client = new AbortController();
  const waiting = callUpstream(outgoing({ signal: client.signal }), reach({ send: hang }));
  client.abort();
  const error = await waiting;
  assert.equal("code" in error && error.code, "client_left");
});
