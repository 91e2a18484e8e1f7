/**
 * Code that never returns: the process ends by itself, and `limits.drain_timeout_ms` holds. The permissions are those of a
 * user, without `--allow-run`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { HUNG_CODE } from "../../src/cli/service/watchdog.ts";
import { askChat } from "../support/proxy.ts";
import { startProgram } from "../support/program.ts";
import { startUpstream } from "../support/scripted_upstream.ts";
import { freePort } from "../support/server_process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const ENDLESS = `export default {
  name: "endless",
  onRequest(request) { while (JSON.stringify(request.messages).includes("hang")); },
};`;

const DRAIN_MS = 1500;

/** What a busy machine may add to any time. */
const GRACE_MS = 15_000;

interface Ending {
  readonly code: number;
  readonly output: string;
  /** From the signal, or from the request that hangs, to the end. */
  readonly tookMs: number;
}

/** Lets a server hang; gives its end. */
async function endOf(
  { workers, signal }: { workers: number; signal?: Deno.Signal },
): Promise<Ending> {
  await using upstream = startUpstream({ text: "fine" });
  const folder = await temporaryFolder({ "endless.ts": ENDLESS });
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${upstream.url}" }]
plugins: [./endless.ts]
limits: { drain_timeout_ms: ${DRAIN_MS}, drain_notice_ms: 0 }
`,
  );
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram(folder, ["serve", "--workers", `${workers}`, "--port", `${port}`]);
  try {
    await program.until(/is ready/);
    const ask = (content: string) =>
      askChat(url, { body: { messages: [{ role: "user", content }], tools: TOOLS } });
    assert.match(await (await ask("Hi")).text(), /fine/);
    const hanging = ask("hang").then((response) => response.body?.cancel(), () => {});
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    if (signal !== undefined) program.kill(signal);
    const { code, stdout, stderr } = await program.end();
    const tookMs = performance.now() - began;
    await hanging;
    return { code, output: stdout + stderr, tookMs };
  } finally {
    program.kill();
  }
}

const TOOLS = [{ type: "function", function: { name: "t", parameters: { type: "object" } } }];

const IS_LINUX = Deno.build.os === "linux";

Deno.test({ name: "a loop that hangs can't delay the end after SIGTERM", ignore: !IS_LINUX }, async () => {
  const { output, tookMs } = await endOf({ workers: 1, signal: "SIGTERM" });
  assert.match(output, /the event loop was blocked for \d+ s after a signal/);
  assert.ok(tookMs < DRAIN_MS + GRACE_MS, `${tookMs} ms`);
});

Deno.test({ name: "a loop that hangs ends the process without a signal", ignore: !IS_LINUX }, async () => {
  const { code, output, tookMs } = await endOf({ workers: 1 });
  assert.equal(code, 137);
  assert.match(output, /the event loop was blocked for \d+ s/);
  assert.ok(tookMs > 9000 && tookMs < 12_000 + GRACE_MS, `${tookMs} ms`);
});

Deno.test({ name: "a worker that hangs ends the server in order", ignore: !IS_LINUX }, async () => {
  const { code, output, tookMs } = await endOf({ workers: 2 });
  assert.equal(code, HUNG_CODE);
  assert.match(output, /The event loop of a worker was blocked for \d+ s; the server ends/);
  assert.ok(tookMs > 9000 && tookMs < 20_000 + GRACE_MS, `${tookMs} ms`);
});

Deno.test({ name: "a worker that hangs can't delay the end after SIGTERM", ignore: !IS_LINUX }, async () => {
  const { code, tookMs } = await endOf({ workers: 2, signal: "SIGTERM" });
  assert.equal(code, 0);
  assert.ok(tookMs < DRAIN_MS + 5000 + GRACE_MS, `${tookMs} ms`);
});
