/**
 * Ollama's clients ask more routes than the chat: each is answered in Ollama's own form, whatever becomes of it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { Ollama } from "ollama";
import { bracketService, startProxy, testConfig } from "../support/proxy.ts";
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
    embed: () => client.embed({ model: "m", input: "a" }),
    embeddings: () => client.embeddings({ model: "m", prompt: "a" }),
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
