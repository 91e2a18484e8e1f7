import assert from "node:assert/strict";
import { type AdminSection, createPages } from "../../src/admin/pages.ts";

function open() {
  const strikes = new Map([["c1", 2]]);
  const pages = createPages({
    keys: () => ({ admin: undefined, clients: [] }),
    status: () => ({ version: "1" }),
    rules: () => [{ rule: "demo" }],
    decisions: () => [],
    sections: new Map<string, AdminSection>([
      ["strikes", { read: () => [...strikes], reset: (key) => strikes.delete(key) }],
      ["queues", { read: () => [] }],
    ]),
    reload: () => Promise.resolve({ isReloaded: true }),
    metrics: () => Promise.resolve({ text: "a 1\n", type: "text/plain" }),
  });
  return async (method: string, path: string) => {
    const request = new Request(`http://127.0.0.1:1${path}`, { method, headers: { host: "127.0.0.1:1" } });
    const response = await pages(request, "127.0.0.1");
    const text = await response.text();
    return { status: response.status, body: path === "/metrics" ? text : JSON.parse(text) };
  };
}

Deno.test("createPages shows status, rules, decisions, sections and metrics", async () => {
  const ask = open();
  assert.deepEqual(await ask("GET", "/_dragoman/status"), { status: 200, body: { version: "1" } });
  assert.deepEqual((await ask("GET", "/_dragoman/rules/")).body, [{ rule: "demo" }]);
  assert.deepEqual((await ask("GET", "/_dragoman/decisions")).body, []);
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
