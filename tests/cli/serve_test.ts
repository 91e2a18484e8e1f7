import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { serve } from "../../src/cli/serve.ts";
import { freePort } from "../support/server_process.ts";
import { createTestWorld } from "../support/world.ts";

/** Serves in a fresh folder; Ctrl-C comes as soon as the server is ready. */
async function run(values: Record<string, string | boolean>, config = "") {
  const workingDirectory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(join(workingDirectory, "dragoman.yaml"), config);
    const world = createTestWorld({ workingDirectory });
    const code = await serve.run({ values, positionals: [] }, { ...world, signal: AbortSignal.abort() });
    return { code, ...world.printed };
  } finally {
    await Deno.remove(workingDirectory, { recursive: true });
  }
}

Deno.test("serve says where it listens, and ends with 0 at Ctrl-C", async () => {
  const { code, stdout, stderr } = await run({ port: "0" });
  assert.equal(code, 0);
  assert.match(stdout, /\n {4}http:\/\/127\.0\.0\.1:\d+\/v1\n/);
  assert.ok(stdout.endsWith("Press Ctrl-C again to stop now\n"), stdout);
  assert.equal(stderr, "");
});

Deno.test("serve does not start with mistakes and shows all of them", async () => {
  const { code, stdout, stderr } = await run({ port: "x" }, "policy: { minimum_confidence: 2 }\n");
  assert.deepEqual([code, stdout], [1, ""]);
  assert.ok(stderr.includes("dragoman.yaml:1:") && stderr.includes("--port"), stderr);
  assert.ok(stderr.includes("2 errors, 0 warnings\nNot started"), stderr);
});

Deno.test("serve starts with warnings and shows them", async () => {
  const { code, stderr } = await run({ port: "0", "min-confidence": "1" });
  assert.equal(code, 0);
  assert.ok(stderr.includes("warning[confidence_under_threshold]"), stderr);
});

Deno.test("serve says that the port is taken, and ends with 1", async () => {
  const other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    const { code, stdout, stderr } = await run({ port: String(other.addr.port) });
    assert.deepEqual([code, stdout], [1, ""]);
    assert.ok(
      stderr.startsWith(`error[cannot_listen]: Cannot listen on 127.0.0.1:${other.addr.port}: another`),
      stderr,
    );
  } finally {
    other.close();
  }
});

Deno.test("serve prints that it cannot start as JSON if the log is JSON", async () => {
  const other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  try {
    const { code, stderr } = await run({ port: String(other.addr.port), "log-format": "json" });
    const { kind, text } = JSON.parse(stderr);
    assert.deepEqual([code, kind], [1, "error"]);
    assert.match(text, /^error\[cannot_listen\]: Cannot listen on /);
  } finally {
    other.close();
  }
});

Deno.test({
  name: "serve --workers auto starts on a machine with more cores than workers can be",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    Object.defineProperty(navigator, "hardwareConcurrency", { value: 1000, configurable: true });
    try {
      // Nothing is wrong with the flags; what keeps it from starting is the port.
      const { code, stderr } = await run({ port: String(other.addr.port), workers: "auto" });
      assert.equal(code, 1);
      assert.match(stderr, /^error\[cannot_listen\]: Cannot listen on /);
    } finally {
      Reflect.deleteProperty(navigator, "hardwareConcurrency");
      other.close();
    }
  },
});

/** Asks until something answers or the server has ended. */
async function ask(url: string, { init, isOver }: { init?: RequestInit; isOver: () => boolean }) {
  for (;;) {
    const response = await fetch(url, init).catch(() => undefined);
    if (response !== undefined) return await response.json();
    if (isOver()) return undefined;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Serves the files of a folder, and asks from the start on; gives the answers, the exit code and what was printed. */
async function askWhileLoading(files: Readonly<Record<string, string>>) {
  const port = freePort();
  const workingDirectory = await Deno.makeTempDir();
  const stop = new AbortController();
  const world = createTestWorld({ workingDirectory });
  try {
    for (const [name, text] of Object.entries(files)) {
      await Deno.mkdir(join(workingDirectory, dirname(name)), { recursive: true });
      await Deno.writeTextFile(join(workingDirectory, name), text);
    }
    let isOver = false;
    const input = { values: { port: `${port}` }, positionals: [] };
    const ended = serve.run(input, { ...world, signal: stop.signal }).finally(() => isOver = true);
    const asked = (path: string, init: RequestInit = {}) =>
      ask(`http://127.0.0.1:${port}${path}`, { init, isOver: () => isOver });
    const body = JSON.stringify({ model: "sample", messages: [{ role: "user", content: "hello" }] });
    const [health, answer, refused] = await Promise.all([
      asked("/health"),
      asked("/v1/chat/completions", { method: "POST", body }),
      asked("/v1/models", { headers: { origin: "http://example.com" } }),
    ]);
    stop.abort();
    return { health, answer, refused, code: await ended, ...world.printed };
  } finally {
    stop.abort();
    await Deno.remove(workingDirectory, { recursive: true });
  }
}

const RULE = "rule: mine\npattern: '<mine {tool}>(?<body>…)</mine>'\nbody: json\n";

for (
  const [kind, files] of Object.entries({ "what ships": {}, "an own rule": { "rules/mine.yaml": RULE } })
) {
  Deno.test(`serve answers what arrives before everything is loaded: ${kind}`, async () => {
    const { health, answer, refused, code, stdout } = await askWhileLoading(files);
    assert.equal(health.status, "ok");
    assert.equal(answer.object, "chat.completion");
    assert.equal(refused.error.code, "foreign_origin");
    assert.match(stdout, /is ready/);
    assert.match(stdout, / 403 .*foreign_origin: GET \/v1\/models\n/);
    assert.equal(code, 0);
  });
}

Deno.test("serve answers nothing, not even /health, before its own rules are checked", async () => {
  const { health, answer, code, stdout, stderr } = await askWhileLoading({
    "rules/mine.yaml": RULE.replace("json", "jsonn"),
  });
  assert.deepEqual([health?.status, answer?.object, code, stdout], [undefined, undefined, 1, ""]);
  assert.match(stderr, /mine\.yaml:3:.*\n[\s\S]*Not started: fix the errors above/);
});
