/**
 * Code that never returns: the process ends by itself, and `limits.drain_timeout_ms` holds. The permissions are those of a
 * user, without `--allow-run`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { HUNG_CODE, LATE_MS } from "../../src/cli/service/watchdog.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { startProgram } from "../support/program.ts";
import { freePort } from "../support/server_process.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { readRaw, TOOL, WIRE_TABLE, type WireOutcome, type WireRow } from "../support/wire_table.ts";

const ENDLESS = `export default {
  name: "endless",
  onRequest(request) {
    const text = JSON.stringify(request.messages);
    if (/spin|hang|exit/.test(text)) console.log("hangs");
    while (text.includes("spin"));
    if (text.includes("exit")) Deno.exit();
    if (text.includes("hang")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};`;

const DRAIN_MS = 1500;

/** What a busy machine may add to any time. */
const GRACE_MS = 15_000;

interface Started {
  readonly url: string;
  readonly program: ReturnType<typeof startProgram>;
  /** Asks so that a thread hangs, or a worker ends: to wait keeps no processor busy. */
  hang(how: "spin" | "hang" | "exit"): Promise<WireOutcome | undefined>;
  /** Asks for a short answer; gives how long it took, in milliseconds. */
  ask(): Promise<number>;
}

/** Asks a question of a row on a connection of its own, so that the system chooses a worker. */
async function askAlone(url: string, row: WireRow, task: string): Promise<WireOutcome> {
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  const { path, body } = row.request({ task, tool: TOOL });
  const response = await fetch(url + path, { method: "POST", body: JSON.stringify(body), client });
  return row.read({ status: response.status, ...await readRaw(response) });
}

/** Starts a server whose threads can hang, and kills it after `check`. */
async function withServer(
  { workers, upstream }: { readonly workers: number; readonly upstream: string },
  check: (started: Started) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder({ "endless.ts": ENDLESS });
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${upstream}" }]
plugins: [./endless.ts]
limits: { drain_timeout_ms: ${DRAIN_MS}, drain_notice_ms: 0 }
`,
  );
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram(folder, ["serve", "--workers", `${workers}`, "--port", `${port}`]);
  const [row] = WIRE_TABLE;
  try {
    await program.until(/is ready/);
    const ask = async () => {
      const began = performance.now();
      assert.equal((await askAlone(url, row!, "Hi")).text, "fine");
      return performance.now() - began;
    };
    await ask();
    const hang = (how: string) => askAlone(url, row!, how).catch(() => undefined);
    await check({ url, program, ask, hang });
  } finally {
    program.kill();
    await program.end();
  }
}

/** Answers `Hi` at once; another answer waits, streamed in its middle, until `isOver`. */
function slowUpstream(isOver: Promise<void>) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    if (request.method !== "POST") return Response.json({ data: [] });
    const { stream, messages } = await request.json();
    const waits = JSON.stringify(messages).includes("wait");
    const choice = (delta: unknown, finish_reason: string | null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    if (!stream) {
      if (waits) await isOver;
      const message = { role: "assistant", content: "fine" };
      return Response.json({ choices: [{ index: 0, message, finish_reason: "stop" }] });
    }
    const body = new ReadableStream<string>({
      async start(controller) {
        controller.enqueue(choice({ role: "assistant", content: "fi" }, null));
        if (waits) await isOver;
        controller.enqueue(choice({ content: "ne" }, null) + choice({}, "stop") + "data: [DONE]\n\n");
        controller.close();
      },
    });
    return new Response(body.pipeThrough(new TextEncoderStream()), {
      headers: { "content-type": "text/event-stream" },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How often each row asks while a worker hangs: enough that each worker has some of the streamed and of the whole. */
const ROUNDS = 3;

/** A server that ends → how it does. They run at the same time, since all of them wait. */
const CASES: Readonly<Record<string, (upstream: string, finish: () => void) => Promise<void>>> = {
  "a loop that hangs can't delay the end after SIGTERM": (upstream) =>
    withServer({ workers: 1, upstream }, async ({ program, hang }) => {
      // A loop takes a processor from the other tests of a short run.
      const hanging = hang(IS_THOROUGH ? "spin" : "hang");
      await program.until(/hangs/);
      const began = performance.now();
      program.kill("SIGTERM");
      const { stderr } = await program.end();
      assert.match(stderr, /the event loop was blocked for \d+ s after a signal/);
      assert.ok(performance.now() - began < DRAIN_MS + GRACE_MS);
      await hanging;
    }),

  "a loop that hangs ends the process without a signal": (upstream) =>
    withServer({ workers: 1, upstream }, async ({ program, hang }) => {
      const began = performance.now();
      const hanging = hang("hang");
      const { code, stderr } = await program.end();
      const tookMs = performance.now() - began;
      assert.equal(code, 137);
      assert.match(stderr, /the event loop was blocked for \d+ s/);
      assert.ok(tookMs > 9000 && tookMs < 12_000 + GRACE_MS, `${tookMs} ms`);
      await hanging;
    }),

  "a worker that hangs can't delay the end after SIGTERM": (upstream) =>
    withServer({ workers: 2, upstream }, async ({ program, hang }) => {
      const hanging = hang("hang");
      await program.until(/hangs/);
      const began = performance.now();
      program.kill("SIGTERM");
      assert.equal((await program.end()).code, 0);
      assert.ok(performance.now() - began < DRAIN_MS + 5000 + GRACE_MS);
      await hanging;
    }),

  "as many workers that hang as there are end the server in order": (upstream) =>
    withServer({ workers: 2, upstream }, async ({ program, hang }) => {
      const first = hang("exit");
      await program.until(/hangs/);
      await pause(2 * LATE_MS);
      const second = hang("hang");
      await program.until(/blocked for \d+ s; .*Another one starts/);
      const { code, stderr } = await program.end();
      assert.equal(code, HUNG_CODE);
      assert.match(stderr, /blocked for \d+ s, as 1 did before; the server ends/);
      for (const { status, end } of [(await first)!, (await second)!]) {
        assert.deepEqual([status, end], [500, "error"]);
      }
    }),

  "a worker that hangs is replaced: new requests are answered all the time, and only its own answers end": (
    upstream,
    finish,
  ) =>
    withServer({ workers: 2, upstream }, async ({ url, program, hang, ask }) => {
      const waiting = Array.from({ length: ROUNDS }, () => WIRE_TABLE).flat()
        .map((row) => askAlone(url, row, "wait").then((outcome) => ({ row, outcome })));
      await pause(1500);
      const hanging = hang("hang");
      await program.until(/hangs/);
      for (let count = 0; count < 10; count++) {
        const tookMs = await ask();
        assert.ok(tookMs < LATE_MS + 5000, `a new request took ${tookMs} ms`);
      }
      await program.until(/Another one starts/);
      assert.match((await hanging)!.error ?? "", /hung or failed/);
      await ask();
      finish();
      const ends = { whole: 0, error: 0 };
      for (const { row, outcome: { end, text, error } } of await Promise.all(waiting)) {
        assert.ok(end === "whole" || end === "error", `${row.name}: ${end}`);
        ends[end]++;
        if (end === "whole") assert.equal(text, "fine", row.name);
        else assert.match(error ?? "", /hung or failed/, row.name);
      }
      assert.ok(ends.whole > 0 && ends.error > 0, JSON.stringify(ends));
      program.kill("SIGTERM");
      assert.equal((await program.end()).code, 0);
    }),
};

Deno.test({ name: "code that never returns", ignore: Deno.build.os !== "linux" }, async () => {
  const { promise: isOver, resolve: finish } = Promise.withResolvers<void>();
  await using upstream = slowUpstream(isOver);
  await Promise.all(
    Object.entries(CASES).map(async ([name, check]) => {
      await check(upstream.url, finish).catch((cause) => {
        finish();
        throw new Error(name, { cause });
      });
    }),
  );
});
