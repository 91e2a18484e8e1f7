import assert from "node:assert/strict";
import { join } from "node:path";
import { serve } from "../../src/cli/serve.ts";
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
