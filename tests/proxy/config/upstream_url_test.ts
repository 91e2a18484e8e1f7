import assert from "node:assert/strict";
import { readUpstreamUrl } from "../../../src/proxy/config/upstream_url.ts";

Deno.test("readUpstreamUrl adds /v1 where there is no path and keeps any other path", () => {
  const cases: [string, string][] = [
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"],
    ["http://localhost:11434/", "http://localhost:11434/v1"],
    ["http://localhost:1234/v1", "http://localhost:1234/v1"],
    ["http://localhost:1234/v1/", "http://localhost:1234/v1"],
    ["https://api.example/compatible-mode/v1", "https://api.example/compatible-mode/v1"],
    ["https://api.example/api/paas/v4/", "https://api.example/api/paas/v4"],
    [" http://[::1]:8080/v1 ", "http://[::1]:8080/v1"],
  ];
  assert.deepEqual(
    cases.map(([text]) => [text, readUpstreamUrl(text)]),
    cases.map(([text, url]) => [text, { url }]),
  );
});

Deno.test("readUpstreamUrl cuts an endpoint off and warns", () => {
  const { url, problem } = readUpstreamUrl("http://localhost:8080/v1/chat/completions");
  assert.equal(url, "http://localhost:8080/v1");
  assert.deepEqual([problem?.severity, problem?.help], [
    "warning",
    "write http://localhost:8080/v1, which is used now",
  ]);
});

Deno.test("readUpstreamUrl refuses what cannot be a base URL and shows how to fix it", () => {
  const cases: [string, string][] = [
    ["localhost:8080", "did you mean `http://localhost:8080/v1`?"],
    ["127.0.0.1:8080/v1", "did you mean `http://127.0.0.1:8080/v1`?"],
    ["api.example/v1", "did you mean `https://api.example/v1`?"],
    ["ftp://api.example", "did you mean `https://api.example/v1`?"],
    ["not a url", "use the base URL from the model server's documentation"],
    [
      "http://me:secret@host/v1",
      "write the name of the environment variable that contains the key under `key_env`",
    ],
    ["http://host/v1?key=1#x", "remove `?key=1#x`"],
  ];
  for (const [text, help] of cases) {
    const { problem } = readUpstreamUrl(text);
    assert.deepEqual(
      [problem?.code, problem?.severity, problem?.help],
      ["upstream_url", "error", help],
      text,
    );
  }
});

Deno.test("readUpstreamUrl never repeats a password", () => {
  assert.ok(!JSON.stringify(readUpstreamUrl("http://me:secret@host/v1").problem).includes("secret"));
});
