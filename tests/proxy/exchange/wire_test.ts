import assert from "node:assert/strict";
import type { WatchRequest } from "../../../src/proxy/exchange/watch.ts";
import { builtInService } from "../../support/built_in.ts";
import { startProxy, testConfig } from "../../support/proxy.ts";
import { startUpstream } from "../../support/scripted_upstream.ts";

const NAME = "look";
const SCHEMA = { type: "object", properties: {} };
const MESSAGES = [{ role: "user", content: "hi" }];

/** Path → a request of its wire with one tool. */
const REQUESTS: Readonly<Record<string, Record<string, unknown>>> = {
  "/v1/chat/completions": {
    model: "m",
    messages: MESSAGES,
    tools: [{ type: "function", function: { name: NAME, parameters: SCHEMA } }],
  },
  "/v1/messages": {
    model: "m",
    max_tokens: 10,
    messages: MESSAGES,
    tools: [{ name: NAME, input_schema: SCHEMA }],
  },
  "/v1/responses": { model: "m", input: "hi", tools: [{ type: "function", name: NAME, parameters: SCHEMA }] },
  "/v1beta/models/m:generateContent": {
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    tools: [{ functionDeclarations: [{ name: NAME, parameters: SCHEMA }] }],
  },
};

/** Client → headers that it sends. */
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  claude_code: { "user-agent": "claude-cli/2.1.330 (external, cli)" },
  codex: { "user-agent": "codex_exec/0.169.0" },
  gemini_cli: { "user-agent": "GeminiCLI/0.61.0/m (linux; x64)" },
  copilot_cli: { "user-agent": "Anthropic/JS 0.94.0", "x-initiator": "user" },
  openai: { "user-agent": "OpenAI/JS 6.49.0", "x-stainless-os": "Linux" },
};

for (const [path, body] of Object.entries(REQUESTS)) {
  Deno.test(`answerWire recognizes every client on ${path}`, async () => {
    const clients: (string | undefined)[] = [];
    const watch: WatchRequest = ({ client }) => {
      clients.push(client);
      return { observe() {}, end() {} };
    };
    await using upstream = startUpstream({ text: "ok" });
    await using proxy = await startProxy(await builtInService(testConfig(upstream.url)), {
      watches: [watch],
    });
    for (const headers of Object.values(HEADERS)) {
      const response = await fetch(proxy.origin + path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
    }
    assert.deepEqual(clients, Object.keys(HEADERS));
  });
}

Deno.test("answerWire keeps headers that name no client, and keys of other wires, from the upstream", async () => {
  await using upstream = startUpstream({ text: "ok" });
  await using proxy = await startProxy(await builtInService(testConfig(upstream.url)));
  const headers = {
    "x-api-key": "secret",
    "anthropic-version": "2023-06-01",
    "x-stainless-os": "Linux",
    "x-initiator": "agent",
    "content-type": "application/json",
  };
  const body = JSON.stringify(REQUESTS["/v1/messages"]);
  const response = await fetch(`${proxy.origin}/v1/messages`, { method: "POST", headers, body });
  await response.text();
  const sent = upstream.requests[0]!.headers;
  assert.deepEqual(Object.keys(headers).map((name) => sent.get(name)), [
    null,
    null,
    null,
    "agent",
    "application/json",
  ]);
  assert.equal(sent.get("authorization"), "Bearer secret");
});
