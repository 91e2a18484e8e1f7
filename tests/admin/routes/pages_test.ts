import assert from "node:assert/strict";
import { type AdminSection, createPages } from "../../../src/admin/routes/pages.ts";

const FILE = {
  bytes: new Uint8Array([1]),
  compressed: { br: new Uint8Array([2]), gzip: new Uint8Array([2]) },
  hash: "h",
};

function open(admin?: string, isFull = false) {
  const strikes = new Map([["c1", 2]]);
  const pages = createPages({
    keys: () => ({ admin, clients: [] }),
    data: {
      status: () => ({ version: "1" }),
      rules: () => [{ rule: "demo" }],
      decisions: () => [],
      rule: (query) => Promise.resolve(query.get("name") === "demo" ? { name: "demo" } : undefined),
      figures: (query) => ({ model: query.get("model") }),
    },
    live: {
      open: () => isFull ? undefined : ReadableStream.from([new TextEncoder().encode("data: {}\n\n")]),
      detailOf: (id) => ({ id }),
      versionOf: (id) => id === "r1" ? 3 : undefined,
    },
    sections: new Map<string, AdminSection>([
      ["strikes", { read: () => [...strikes], reset: (key) => strikes.delete(key) }],
      ["queues", { read: () => [] }],
    ]),
    reload: () => Promise.resolve({ isReloaded: true }),
    metrics: () => Promise.resolve({ text: "a 1\n", type: "text/plain" }),
    playground: {
      setup: () => Promise.reject(new Error("not asked for")),
      save: () => Promise.resolve({ isSaved: true, file: "f", exampleCount: 1, diagnostics: [] }),
    },
    site: (path) => Promise.resolve(path === "index.html" || path === "main.js" ? FILE : undefined),
    now: () => 0,
  });
  return async (method: string, path: string, more: Record<string, string> = {}, body?: string) => {
    const headers = { host: "127.0.0.1:1", ...more };
    const request = new Request(`http://127.0.0.1:1${path}`, { method, headers, ...(body ? { body } : {}) });
    const response = await pages(request, "127.0.0.1");
    const text = await response.text();
    const type = response.headers.get("content-type");
    return {
      status: response.status,
      headers: response.headers,
      body: type === "application/json" ? JSON.parse(text) : text,
    };
  };
}

const BROWSER = { accept: "text/html,*/*" };

Deno.test("createPages shows status, rules, decisions, sections and metrics", async () => {
  const ask = open();
  assert.deepEqual((await ask("GET", "/_dragoman/status")).body, { version: "1" });
  assert.deepEqual((await ask("GET", "/_dragoman/rules/")).body, [{ rule: "demo" }]);
  assert.deepEqual((await ask("GET", "/_dragoman/decisions")).body, []);
  assert.deepEqual((await ask("GET", "/_dragoman/rule?name=demo")).body, { name: "demo" });
  assert.equal((await ask("GET", "/_dragoman/rule?name=other")).status, 404);
  assert.equal((await ask("GET", "/metrics")).body, "a 1\n");
  assert.ok(
    (await ask("GET", "/_dragoman")).body.pages.includes("POST /_dragoman/sections/strikes/reset?key=KEY"),
  );
});

Deno.test("createPages resets an entry of a section and reloads", async () => {
  const ask = open();
  assert.deepEqual((await ask("GET", "/_dragoman/sections/strikes")).body, [["c1", 2]]);
  assert.deepEqual((await ask("POST", "/_dragoman/sections/strikes/reset?key=c1")).body, { reset: true });
  assert.deepEqual((await ask("POST", "/_dragoman/sections/strikes/reset?key=c1")).body, { reset: false });
  assert.deepEqual((await ask("POST", "/_dragoman/reload")).body, { isReloaded: true });
});

Deno.test("createPages says what there is for a wrong page or method", async () => {
  const ask = open();
  for (
    const [method, path, status] of [
      ["GET", "/_dragoman/x", 404],
      ["POST", "/_dragoman/sections/queues/reset", 404],
      ["GET", "/_dragoman/reload", 404],
      ["DELETE", "/_dragoman/status", 405],
    ] as const
  ) {
    const answer = await ask(method, path);
    assert.equal(answer.status, status, path);
    assert.match(answer.body.error.message, /Expected/);
  }
});

Deno.test("createPages shows a browser the page, and its files to anyone who may ask for the key", async () => {
  for (const ask of [open(), open("secret")]) {
    const page = await ask("GET", "/_dragoman/", BROWSER);
    assert.deepEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
    assert.equal((await ask("GET", "/_dragoman/app/main.js")).status, 200);
    const moved = await ask("GET", "/_dragoman", BROWSER);
    assert.deepEqual([moved.status, moved.headers.get("location")], [308, "_dragoman/"]);
  }
  assert.equal((await open("secret")("GET", "/_dragoman/app/missing.js")).status, 401);
  assert.equal((await open()("GET", "/_dragoman/app/missing.js")).status, 404);
  assert.equal((await open("secret")("GET", "/_dragoman/status", BROWSER)).status, 401);
});

Deno.test("createPages exchanges a key for a session and ends it", async () => {
  const ask = open("secret");
  const wrong = await ask("POST", "/_dragoman/session", { "content-length": "3" }, "abc");
  assert.deepEqual([wrong.status, wrong.headers.get("set-cookie")], [401, null]);
  const known = await ask("POST", "/_dragoman/session", { "content-length": "6" }, "secret");
  const cookie = known.headers.get("set-cookie")?.split(";")[0] ?? "";
  assert.equal((await ask("GET", "/_dragoman/status", { cookie })).status, 200);
  assert.equal(
    (await ask("POST", "/_dragoman/reload", { cookie, origin: "http://127.0.0.1:3000" })).status,
    403,
  );
  for (const [headers, session] of [[{ cookie }, true], [{}, false]] as const) {
    assert.deepEqual((await ask("GET", "/_dragoman/session", headers)).body, { session });
  }
  const ended = await ask("DELETE", "/_dragoman/session", { cookie });
  assert.match(ended.headers.get("set-cookie") ?? "", /^dragoman=;.*Max-Age=0/);
  assert.equal((await ask("PUT", "/_dragoman/session", { cookie })).status, 405);
});

Deno.test("createPages streams changes, and refuses when too many pages are open", async () => {
  const stream = await open()("GET", "/_dragoman/live");
  assert.deepEqual([stream.headers.get("content-type"), stream.body], ["text/event-stream", "data: {}\n\n"]);
  assert.equal((await open(undefined, true)("GET", "/_dragoman/live")).status, 503);
  assert.equal((await open("secret")("GET", "/_dragoman/live")).status, 401);
});

Deno.test("createPages shows a request, unless the page has this version already", async () => {
  const ask = open();
  assert.deepEqual((await ask("GET", "/_dragoman/live/r1?version=2")).body, { id: "r1" });
  assert.equal((await ask("GET", "/_dragoman/live/r1?version=3")).status, 204);
  assert.equal((await ask("GET", "/_dragoman/live/r2")).status, 404);
  assert.deepEqual((await ask("GET", "/_dragoman/figures?model=m")).body, { model: "m" });
  assert.equal((await ask("GET", "/_dragoman/constructor")).status, 404);
});

Deno.test("createPages saves rules only for visitors who may see the pages", async () => {
  const yaml = { "content-type": "application/yaml" };
  assert.equal((await open()("POST", "/_dragoman/rules", yaml, "rule: a")).body.isSaved, true);
  assert.equal((await open("key")("POST", "/_dragoman/rules", yaml, "rule: a")).status, 401);
  const foreign = { ...yaml, origin: "http://127.0.0.1:2" };
  assert.equal((await open()("POST", "/_dragoman/rules", foreign, "rule: a")).status, 403);
});
