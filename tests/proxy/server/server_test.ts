import assert from "node:assert/strict";
import { createServer } from "../../../src/proxy/server/server.ts";
import { createSample } from "../../../src/cli/sample/sample.ts";
import { askChat, bracketService, startProxy, testConfig } from "../../support/proxy.ts";
import { startUpstream } from "../../support/scripted_upstream.ts";

const sample = createSample({ now: () => 0 });

Deno.test("createServer answers /health and lists what there is on a wrong path", async () => {
  const { handle } = createServer({ service: bracketService(testConfig("http://127.0.0.1:9/v1")), sample });
  const health = await handle(new Request("http://localhost/health"));
  assert.deepEqual(await health.json(), { status: "ok", upstreams: ["local"], clients: ["openai", "other"] });
  const missing = await handle(new Request("http://localhost/chat/completions", { method: "POST" }));
  assert.equal(missing.status, 404);
  const { error } = await missing.json();
  assert.equal(error.code, "not_found");
  assert.match(error.message, /POST \/chat\/completions.*POST \/v1\/chat\/completions.*\/health/);
});

Deno.test("createServer says who holds the port and how to choose another", async () => {
  await using first = await startProxy(bracketService(testConfig()));
  const port = Number(new URL(first.origin).port);
  const second = createServer({
    service: bracketService(testConfig(undefined, { listen: { port } })),
    sample,
  });
  const started = await second.start();
  assert.ok("problem" in started);
  assert.match(started.problem.message, new RegExp(`127\\.0\\.0\\.1:${port}: another program`));
  assert.match(started.problem.help, /--port/);
});

Deno.test("createServer says what is wrong with an address that is not ours", async () => {
  const service = bracketService(testConfig(undefined, { listen: { hostname: "192.0.2.1", port: 0 } }));
  const started = await createServer({ service, sample }).start();
  assert.ok("problem" in started);
  assert.match(started.problem.help, /listen\.hostname/);
});

Deno.test("Server.swap changes what new requests work with and leaves running ones alone", async () => {
  await using old = startUpstream({ text: "old answer", fate: "pause" });
  await using fresh = startUpstream({ text: "new answer" });
  await using proxy = await startProxy(bracketService(testConfig(old.url)));
  const running = await askChat(proxy.origin, { body: { stream: true } });
  proxy.server.swap(bracketService(testConfig(fresh.url)));
  const next = await (await askChat(proxy.origin, {})).json();
  assert.equal(next.choices[0].message.content, "new answer");
  const reader = running.body?.getReader();
  assert.match(new TextDecoder().decode((await reader?.read())?.value), /assistant/);
  await reader?.cancel();
});

Deno.test("createServer answers 500 in the form of each API and passes on what was thrown", async () => {
  const thrown: unknown[] = [];
  const cause = new Error("a bug of ours");
  const service = {
    ...bracketService(testConfig("http://127.0.0.1:9/v1")),
    recognize: () => {
      throw cause;
    },
  };
  const server = createServer({ service, sample, failed: (cause) => void thrown.push(cause) });
  const messages = [{ role: "user", content: "hi" }];
  const gemini = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };
  const asked: readonly (readonly [path: string, body: object, messageIn: (body: unknown) => unknown])[] = [
    ["/v1/chat/completions", { model: "m", messages }, (body) => Object(body).error.message],
    ["/v1/messages", { model: "m", messages, max_tokens: 9 }, (body) => {
      assert.equal(Object(body).type, "error");
      return Object(body).error.message;
    }],
    ["/v1/responses", { model: "m", input: "hi" }, (body) => Object(body).error.message],
    ["/api/chat", { model: "m", messages }, (body) => Object(body).error],
    ["/v1beta/models/m:generateContent", gemini, (body) => {
      assert.equal(Object(body).error.code, 500);
      return Object(body).error.message;
    }],
  ];
  for (const [path, body, messageIn] of asked) {
    const url = `http://localhost${path}`;
    const headers = { "content-type": "application/json" };
    const response = await server.handle(
      new Request(url, { method: "POST", headers, body: JSON.stringify(body) }),
    );
    assert.equal(response.status, 500, path);
    assert.match(String(messageIn(await response.json())), /a bug of ours/, path);
  }
  assert.deepEqual(thrown, asked.map(() => cause));
});
