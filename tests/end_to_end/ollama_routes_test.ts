/**
 * Ollama's clients ask more routes than the chat: each is answered in Ollama's own form, whatever becomes of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Ollama } from "ollama";
import { bracketService, startProxy, testConfig } from "../support/proxy.ts";
import { startRawUpstream } from "../support/raw_upstream.ts";
import { startUpstream } from "../support/scripted_upstream.ts";

const POSTS = [
  "chat",
  "show",
  "generate",
  "embed",
  "embeddings",
  "pull",
  "push",
  "create",
  "copy",
  "blobs/sha256:1",
  "x",
];
const GETS = ["tags", "ps", "version", "chat", "x", ""];
const ROUTES: readonly (readonly [method: string, path: string])[] = [
  ...POSTS.map((name) => ["POST", `/api/${name}`] as const),
  ...GETS.map((name) => ["GET", `/api/${name}`] as const),
  ...["tags", "version", "ps"].map((name) => ["HEAD", `/api/${name}`] as const),
  ["DELETE", "/api/delete"],
  ["PUT", "/api/chat"],
  ["GET", "/api"],
  ["POST", "/roo/api/embed"],
  ["POST", "/upstream/local/api/embed"],
];

/** Bodies that are wrong for some routes. */
const BODIES = [
  '{"model":"m"}',
  '{"model":"m","messages":[{"role":"user","content":"hi"}]}',
  "no JSON",
  "[]",
  "{}",
  "",
];

async function checkRoutes(origin: string): Promise<Map<string, number>> {
  const statuses = new Map<string, number>();
  for (const [method, path] of ROUTES) {
    for (const body of method === "POST" || method === "PUT" ? BODIES : [null]) {
      const response = await fetch(origin + path, { method, body });
      const text = await response.text();
      const name = `${method} ${path} ${body}: ${response.status} ${text}`;
      statuses.set(`${method} ${path}`, response.status);
      assert.notEqual(response.status, 500, name);
      if (response.ok || method === "HEAD") continue;
      assert.deepEqual(Object.keys(JSON.parse(text)), ["error"], name);
      assert.equal(typeof JSON.parse(text).error, "string", name);
    }
  }
  return statuses;
}

Deno.test("every route of Ollama's API is answered in its form, also if the upstream fails", async () => {
  for (const script of [{ text: "fine" }, { error: { status: 503, body: "<html>busy</html>" } }]) {
    await using upstream = startUpstream(script);
    await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
    const statuses = await checkRoutes(proxy.origin);
    for (const route of ["GET /api/version", "GET /api/ps", "HEAD /api/version", "POST /api/show"]) {
      if (route !== "POST /api/show") assert.equal(statuses.get(route), 200, route);
    }
    assert.equal(statuses.get("POST /api/x"), 404);
  }
});

Deno.test("every route of Ollama's API is answered in its form without an upstream and without a key", async () => {
  const config = testConfig("http://127.0.0.1:1/v1");
  await using unreachable = await startProxy(bracketService(config));
  await checkRoutes(unreachable.origin);
  await using locked = await startProxy({ ...bracketService(config), clientKeys: ["k".repeat(20)] });
  const statuses = await checkRoutes(locked.origin);
  assert.deepEqual([...new Set(statuses.values())], [401]);
});

Deno.test("ollama's client gets an error that it can show from every route that isn't served", async () => {
  await using upstream = startUpstream({ text: "fine" });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const client = new Ollama({ host: proxy.origin });
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    generate: () => client.generate({ model: "m", prompt: "a" }),
    pull: () => client.pull({ model: "m" }),
    delete: () => client.delete({ model: "m" }),
    copy: () => client.copy({ source: "m", destination: "n" }),
  };
  for (const [name, ask] of Object.entries(asked)) {
    await assert.rejects(ask(), ({ message }: Error) => message.includes(`/api/${name}`), name);
  }
  assert.deepEqual((await client.ps()).models, []);
  assert.match((await client.version()).version, /^\d+\.\d+\.\d+$/);
});

/** What an upstream answers to a request for embeddings, in raw bytes, and the status that the client gets. */
const BROKEN: Readonly<Record<string, string>> = {
  "a web page": "HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n<ht>",
  "half an answer": 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"data":[',
  "nothing": "HTTP/1.1 204 No Content\r\n\r\n",
  "a list": "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]",
  "a redirect": "HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n",
};

Deno.test("ollama's client gets embeddings from the upstream, and its errors in Ollama's form", async () => {
  const bodies: unknown[] = [];
  let answer = "";
  await using upstream = await startRawUpstream((request) => {
    bodies.push(JSON.parse(request.text.split("\r\n\r\n")[1] || "null"));
    request.write(answer);
    request.end();
  });
  await using proxy = await startProxy(bracketService(testConfig(upstream.url)));
  const client = new Ollama({ host: proxy.origin });
  const data = [{ index: 1, embedding: [3, 4] }, { index: 0, embedding: [1, 2] }];
  const body = JSON.stringify({ data, usage: { prompt_tokens: 7 } });
  answer = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const embedded = await client.embed({ model: "m", input: ["a", "b"], dimensions: 2 });
  assert.deepEqual(
    [embedded.model, embedded.embeddings, embedded.prompt_eval_count],
    ["m", [[1, 2], [3, 4]], 7],
  );
  assert.deepEqual((await client.embeddings({ model: "m", prompt: "a" })).embedding, [1, 2]);
  assert.deepEqual(bodies, [
    { model: "m", input: ["a", "b"], dimensions: 2, encoding_format: "float" },
    { model: "m", input: "a", encoding_format: "float" },
  ]);
  for (const [name, broken] of Object.entries(BROKEN)) {
    answer = broken;
    for (const path of ["embed", "tags"]) {
      const init = path === "embed" ? { method: "POST", body: '{"model":"m","input":"a"}' } : {};
      const response = await fetch(`${proxy.origin}/api/${path}`, init);
      const { error } = await response.json();
      assert.deepEqual([response.status, typeof error], [502, "string"], name);
    }
  }
});
