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
  onRequest(request) {
    const text = JSON.stringify(request.messages);
    while (text.includes("spin"));
    if (text.includes("hang")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
};`;

const DRAIN_MS = 1500;

/** What a busy machine may add to any time. */
const GRACE_MS = 15_000;

interface Ending {
  readonly code: number;
  readonly output: string;
  /** From the signal, or from the request that hangs, to the end. */
  readonly tookMs: number;
  /** What a stream got that began while a worker hung, if one was asked for. */
  readonly answer: string;
}

interface Hang {
  readonly workers: number;
  readonly signal?: Deno.Signal;
  readonly url?: string;
  /** Is called once the server ends because of the worker that hangs. */
  readonly finish?: () => void;
}

/** Lets a server hang; gives its end. */
async function endOf({ workers, signal, url: upstreamUrl, finish }: Hang): Promise<Ending> {
  await using upstream = startUpstream({ text: "fine" });
  const folder = await temporaryFolder({ "endless.ts": ENDLESS });
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${upstreamUrl ?? upstream.url}" }]
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
    // Without a signal, it takes long: then the thread hangs without keeping a processor busy.
    const hanging = ask(signal === undefined ? "hang" : "spin").then(
      (response) => response.body?.cancel(),
      () => {},
    );
    await new Promise((resolve) => setTimeout(resolve, 500));
    const began = performance.now();
    if (signal !== undefined) program.kill(signal);
    const answering = finish && answerOfAnother(url);
    if (finish !== undefined) void program.until(/The event loop of a worker was blocked/).then(finish);
    const answer = await answering ?? "";
    const { code, stdout, stderr } = await program.end();
    const tookMs = performance.now() - began;
    await hanging;
    return { code, output: stdout + stderr, tookMs, answer };
  } finally {
    program.kill();
  }
}

/** Asks on several connections; gives the whole stream of one that reached a worker that doesn't hang. */
async function answerOfAnother(url: string): Promise<string> {
  const body = { stream: true, tools: TOOLS, messages: [{ role: "user", content: "wait" }] };
  const asked = Array.from({ length: 10 }, () => askChat(url, { body }));
  const chosen = await Promise.any(asked);
  const leave = (other: Response) => other === chosen ? undefined : other.body?.cancel();
  for (const one of asked) one.then(leave, () => {});
  return await chosen.text();
}

/** Answers at once; a stream waits in its middle until `isOver`. */
function slowUpstream(isOver: Promise<void>) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const isStreamed = (await request.text()).includes('"stream":true');
    const choice = (delta: unknown, finish_reason: string | null) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    if (!isStreamed) {
      return Response.json({
        choices: [{ index: 0, message: { role: "assistant", content: "fine" }, finish_reason: "stop" }],
      });
    }
    const body = new ReadableStream<string>({
      async start(controller) {
        controller.enqueue(choice({ role: "assistant", content: "begun, " }, null));
        await isOver;
        controller.enqueue(choice({ content: "the rest" }, null) + choice({}, "stop") + "data: [DONE]\n\n");
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

Deno.test(
  {
    name: "a worker that hangs ends the server in order: answers of the others are finished",
    ignore: !IS_LINUX,
  },
  async () => {
    const { promise: isOver, resolve: finish } = Promise.withResolvers<void>();
    await using upstream = slowUpstream(isOver);
    const { code, output, tookMs, answer } = await endOf({ workers: 2, url: upstream.url, finish });
    assert.equal(code, HUNG_CODE);
    assert.match(output, /The event loop of a worker was blocked for \d+ s; the server ends/);
    assert.ok(tookMs > 9000 && tookMs < 20_000 + GRACE_MS, `${tookMs} ms`);
    assert.match(answer, /the rest[^]*"finish_reason":"stop"[^]*\[DONE\]/);
  },
);

Deno.test({ name: "a worker that hangs can't delay the end after SIGTERM", ignore: !IS_LINUX }, async () => {
  const { code, tookMs } = await endOf({ workers: 2, signal: "SIGTERM" });
  assert.equal(code, 0);
  assert.ok(tookMs < DRAIN_MS + 5000 + GRACE_MS, `${tookMs} ms`);
});
