import assert from "node:assert/strict";
import { findRoute, type Route } from "../../../src/proxy/server/route.ts";

Deno.test("findRoute reads every path that is served", () => {
  const cases: [method: string, path: string, expected: Route][] = [
    ["POST", "/v1/chat/completions", { kind: "chat", rest: "/chat/completions" }],
    ["POST", "/v1/chat/completions?x=1", { kind: "chat", rest: "/chat/completions?x=1" }],
    ["GET", "/v1/chat/completions", { kind: "pass", rest: "/chat/completions" }],
    ["GET", "/v1/models", { kind: "pass", rest: "/models" }],
    ["GET", "/health/ready", { kind: "ready" }],
    ["HEAD", "/health/ready/", { kind: "ready" }],
    ["POST", "/health/ready", { kind: "unknown" }],
    ["GET", "/v1", { kind: "pass", rest: "" }],
    ["POST", "/roo/v1/chat/completions", { kind: "chat", rest: "/chat/completions", client: "roo" }],
    ["POST", "/upstream/a/v1/embeddings", { kind: "pass", rest: "/embeddings", upstream: "a" }],
    ["POST", "/upstream/a/cline/v1/chat/completions", {
      kind: "chat",
      rest: "/chat/completions",
      client: "cline",
      upstream: "a",
    }],
    ["POST", "/health", { kind: "unknown" }],
    ["POST", "/", { kind: "unknown" }],
    ["GET", "/v2/models", { kind: "unknown" }],
    ["GET", "/v1beta", { kind: "unknown" }],
    ["GET", "/a/b/v1/models", { kind: "unknown" }],
  ];
  for (const [method, path, expected] of cases) {
    assert.deepEqual(
      findRoute({ method, url: `http://127.0.0.1:1234${path}` }),
      expected,
      `${method} ${path}`,
    );
  }
});

Deno.test("findRoute finds the wire of a path, with the names in front of it", () => {
  const cases: [method: string, path: string, wire: string, named?: Partial<Route>][] = [
    ["POST", "/v1/messages", "anthropic"],
    ["HEAD", "/", "anthropic"],
    ["POST", "/upstream/a/claude_code/v1/messages/count_tokens", "anthropic", {
      upstream: "a",
      client: "claude_code",
    }],
    ["POST", "/codex/v1/responses", "responses", { client: "codex" }],
    ["GET", "/", "ollama"],
    ["POST", "/upstream/a/api/chat", "ollama", { upstream: "a" }],
    ["POST", "/v1beta/models/org%2Fm:streamGenerateContent?alt=sse", "gemini"],
  ];
  for (const [method, path, wire, named = {}] of cases) {
    const route = findRoute({ method, url: `http://127.0.0.1:1234${path}` });
    assert.ok(route.kind === "wire", `${method} ${path}`);
    const { client, upstream } = route;
    assert.deepEqual({ name: route.wire.name, client, upstream }, {
      name: wire,
      client: undefined,
      upstream: undefined,
      ...named,
    });
  }
});
