import assert from "node:assert/strict";
import { loadShipped, serve } from "../../src/cli/serve.ts";
import { freePort } from "../support/server_process.ts";
import { createTestContext } from "../support/context.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { dirname, join } from "node:path";

/** Serves in a fresh folder; Ctrl-C comes as soon as the server is ready. */
async function run(values: Record<string, string | boolean>, config = "") {
  const workingDirectory = await temporaryFolder({ "dragoman.yaml": config });
  const context = createTestContext({ workingDirectory });
  const code = await serve.run({ values, positionals: [] }, { ...context, signal: AbortSignal.abort() });
  return { code, ...context.printed };
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
  using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { code, stdout, stderr } = await run({ port: String(other.addr.port) });
  assert.deepEqual([code, stdout], [1, ""]);
  assert.ok(
    stderr.startsWith(`error[cannot_listen]: Cannot listen on 127.0.0.1:${other.addr.port}: another`),
    stderr,
  );
});

Deno.test("serve prints that it cannot start as JSON if the log is JSON", async () => {
  using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { code, stderr } = await run({ port: String(other.addr.port), "log-format": "json" });
  const { level, text } = JSON.parse(stderr);
  assert.deepEqual([code, level], [1, "error"]);
  assert.match(text, /^error\[cannot_listen\]: Cannot listen on /);
});

Deno.test({
  name: "serve --workers auto starts on a machine with more cores than workers can be",
  ignore: Deno.build.os !== "linux",
  async fn() {
    using other = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    Object.defineProperty(navigator, "hardwareConcurrency", { value: 1000, configurable: true });
    try {
      // Nothing is wrong with the flags; what keeps it from starting is the port.
      const { code, stderr } = await run({ port: String(other.addr.port), workers: "auto" });
      assert.equal(code, 1);
      assert.match(stderr, /^error\[cannot_listen\]: Cannot listen on /);
    } finally {
      Reflect.deleteProperty(navigator, "hardwareConcurrency");
    }
  },
});

Deno.test("serve answers what arrives before everything is loaded", async () => {
  const port = freePort();
  const stop = new AbortController();
  const context = createTestContext();
  const ended = serve.run({ values: { port: `${port}` }, positionals: [] }, {
    ...context,
    signal: stop.signal,
  });
  const body = JSON.stringify({ model: "sample", messages: [{ role: "user", content: "hello" }] });
  let isOver = false;
  void ended.then(() => isOver = true);
  const connected = async (path: string, init?: RequestInit): Promise<Response> => {
    for (;;) {
      assert.ok(!isOver, context.printed.stderr);
      const response = await fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => undefined);
      if (response !== undefined) return response;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const health = connected("/health").then((response) => response.json());
  const answer = connected("/v1/chat/completions", { method: "POST", body }).then((response) =>
    response.json()
  );
  const refused = connected("/v1/models", { headers: { origin: "http://example.com" } }).then((response) =>
    response.json()
  );
  try {
    assert.equal((await health).status, "ok");
    assert.equal((await answer).object, "chat.completion");
    assert.equal((await refused).error.code, "foreign_origin");
    assert.match(context.printed.stdout, /is ready/);
    assert.match(context.printed.stdout, / 403 .*foreign_origin: GET \/v1\/models\n/);
  } finally {
    stop.abort();
    assert.equal(await ended, 0);
  }
});

const RULE = "rule: mine\npattern: '<mine {tool}>(?<body>…)</mine>'\nbody: json\n";

const SHIPPED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "no file": {},
  "an upstream": { "dragoman.yaml": "upstreams: [{ name: a, url: http://127.0.0.1:9/v1 }]\n" },
  "a folder without rules": { "rules/notes.txt": "nothing" },
};

const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "an error": { "dragoman.yaml": "upstreams: 5\n" },
  "a rule": { "rules/mine.yaml": RULE },
  "a client": { "rules/clients/mine.yaml": "client: mine\nwrites: tool_calls\n" },
  "a folder that does not exist": { "dragoman.yaml": "rules: { folders: [none] }\n" },
  "a rule by name": { "dragoman.yaml": "rules: { enable: [shell_block] }\n" },
  "a confidence": { "dragoman.yaml": "rules: { confidence: { shell_block: 1 } }\n" },
  "rules of a model": { "dragoman.yaml": "models: { m: { rules: [qwen_xml] } }\n" },
  "a plugin": { "dragoman.yaml": "plugins: [strict_validation]\n" },
  "an audit log": { "dragoman.yaml": "audit: { file: audit.jsonl }\n" },
};

async function isShipped(files: Readonly<Record<string, string>>): Promise<boolean> {
  const workingDirectory = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(workingDirectory, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  return await loadShipped({}, createTestContext({ workingDirectory })) !== undefined;
}

Deno.test("loadShipped gives a configuration that names nothing of the user's own", async () => {
  for (const [name, files] of Object.entries(SHIPPED)) assert.equal(await isShipped(files), true, name);
});

Deno.test("loadShipped gives nothing if something has to be checked first", async () => {
  for (const [name, files] of Object.entries(OWN)) assert.equal(await isShipped(files), false, name);
});
