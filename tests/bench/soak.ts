/**
 * Whether the proxy grows while it works: the real process in front of a model server, many requests at once, and what
 * a request leaves in memory.
 *
 *     deno task bench:soak [--requests N] [--warmup N] [--concurrency N] [--steps N] [--minutes N]
 *
 * Without options it sends 30,000 requests, 32 at a time, and measures from the 10,000th on. The growth is the slope of
 * the line that fits the measurements best: resident memory, JavaScript objects that survive a garbage collection, and
 * open descriptors. `--minutes` repeats the steps until the time is over. Needs Linux: memory and descriptors come from
 * `/proc`, which Deno opens only with all permissions.
 *
 * @module
 */
import { Agent, createServer, request as openRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freePort, ServerProcess } from "../support/server_process.ts";

/** How much work a soak does. */
export interface SoakOptions {
  /** Requests that are measured. */
  readonly requests: number;
  /** Requests before the first measurement. */
  readonly warmup: number;
  /** Requests that are open at the same time. */
  readonly concurrency: number;
  /** Measurements after the first one. */
  readonly steps: number;
  /** The least time that the measurements take. */
  readonly minutes?: number;
  /** Receives every measurement. */
  readonly onSample?: (sample: SoakSample) => void;
}

/** What the process holds after a number of requests. */
export interface SoakSample {
  /** Requests so far, the warm-up included. */
  readonly requests: number;
  /** Resident memory, in bytes. */
  readonly resident: number;
  /** JavaScript objects after a garbage collection, in bytes. */
  readonly heap: number;
  /** Open descriptors, with no request open. */
  readonly descriptors: number;
}

/** What a soak found. */
export interface SoakResult {
  /** The measurements, the first after the warm-up. */
  readonly samples: readonly SoakSample[];
  /** Growth of the resident memory for each request, in bytes. */
  readonly residentSlope: number;
  /** Growth of the JavaScript objects for each request, in bytes. */
  readonly heapSlope: number;
  /** Growth of the open descriptors for each request. */
  readonly descriptorSlope: number;
  /** Descriptors at the end that were not open after the warm-up. */
  readonly descriptorGrowth: number;
}

const ROOT = join(import.meta.dirname!, "..", "..");
const PROBE = join(ROOT, "tests", "support", "heap_probe.ts");

const ANSWER =
  "I'll write the file.\n<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n" +
  `<parameter=content>\n${"A line of the file.\n".repeat(20)}</parameter>\n</function>\n</tool_call>`;

/** Both forms of the answer, ready to send: the model server and the client must not be what is measured. */
const STREAM = [
  ...ANSWER.match(/[^]{1,12}/g)!.map((content) => ({ delta: { content }, finish_reason: null })),
  {
    delta: {},
    finish_reason: "stop",
  },
].map((choice) => `data: ${JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, ...choice }] })}\n\n`);
const WHOLE = JSON.stringify({
  id: "c",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: ANSWER }, finish_reason: "stop" }],
});

const TOOL = {
  type: "function",
  function: {
    name: "write_file",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" } },
      required: ["path", "content"],
    },
  },
};

/** Runs the proxy under load and measures what it keeps. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const folder = await Deno.makeTempDir();
  await using upstream = await startModel();
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency });
  const probePort = freePort();
  const server = await ServerProcess.start({
    name: "dragoman",
    folder,
    env: { HEAP_PROBE_PORT: `${probePort}` },
    args: ["--v8-flags=--expose-gc", PROBE, "serve", "--port", "PORT", "--upstream", upstream.url],
  });
  try {
    await server.isLoaded();
    const sample = async (requests: number): Promise<SoakSample> => {
      const heap = Number(await (await fetch(`http://127.0.0.1:${probePort}/`)).text());
      const [resident, descriptors] = [await server.residentBytes(), await server.openDescriptors()];
      const measured = { requests, resident, heap, descriptors };
      options.onSample?.(measured);
      return measured;
    };
    const { concurrency } = options;
    await load(server.url, { requests: options.warmup, concurrency, agent });
    const samples = [await sample(options.warmup)];
    const until = performance.now() + (options.minutes ?? 0) * 60_000;
    const each = Math.ceil(options.requests / options.steps);
    while (samples.length <= options.steps || performance.now() < until) {
      await load(server.url, { requests: each, concurrency, agent });
      samples.push(await sample(options.warmup + samples.length * each));
    }
    return {
      samples,
      residentSlope: slope(samples, ({ resident }) => resident),
      heapSlope: slope(samples, ({ heap }) => heap),
      descriptorSlope: slope(samples, ({ descriptors }) => descriptors),
      descriptorGrowth: samples.at(-1)!.descriptors - samples[0]!.descriptors,
    };
  } finally {
    agent.destroy();
    await server.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** A model server that sends prepared bytes, streamed in a few pieces that keep to no message. */
async function startModel(): Promise<{ url: string } & AsyncDisposable> {
  const stream = STREAM.join("") + "data: [DONE]\n\n";
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const bytes of incoming) body += bytes;
    const isStreamed = body.includes('"stream":true');
    outgoing.writeHead(200, { "content-type": isStreamed ? "text/event-stream" : "application/json" });
    if (isStreamed) {
      for (let at = 0; at < stream.length; at += 2500) outgoing.write(stream.slice(at, at + 2500));
    } else outgoing.write(WHOLE);
    outgoing.end();
  });
  // A connection that is closed in the moment in which the proxy uses it again would be an error, not a leak.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Load {
  readonly requests: number;
  /** Requests that are open at the same time. */
  readonly concurrency: number;
  readonly agent: Agent;
}

/** Sends requests, every second one streamed; throws if an answer has no call. */
async function load(origin: string, { requests, concurrency, agent }: Load): Promise<void> {
  let sent = 0;
  const client = async () => {
    while (sent < requests) {
      const text = await ask(origin, { stream: sent++ % 2 === 0, agent });
      if (!text.includes('"tool_calls"')) throw new Error(`An answer has no call: ${text.slice(-500)}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
}

function ask(origin: string, { stream, agent }: { stream: boolean; agent: Agent }): Promise<string> {
  const messages = [{ role: "user", content: `Write a file. ${"Context. ".repeat(100)}` }];
  const body = JSON.stringify({ model: "m", stream, messages, tools: [TOOL] });
  const headers = { "content-type": "application/json", "content-length": body.length };
  return new Promise((resolve, reject) => {
    const asked = openRequest(
      `${origin}/v1/chat/completions`,
      { method: "POST", headers, agent },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (piece) => text += piece);
        answer.on("end", () => resolve(text));
        answer.on("error", reject);
      },
    );
    asked.on("error", reject);
    asked.end(body);
  });
}

/** The slope of the line that fits the measurements best, for each request. */
function slope(samples: readonly SoakSample[], of: (sample: SoakSample) => number): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, height] = [mean(samples.map(({ requests }) => requests)), mean(samples.map(of))];
  let [above, below] = [0, 0];
  for (const sample of samples) {
    const distance = sample.requests - middle;
    above += distance * (of(sample) - height);
    below += distance * distance;
  }
  return above / below;
}

if (import.meta.main) {
  const { values: flags } = parseArgs({
    args: Deno.args,
    options: {
      requests: { type: "string", default: "20000" },
      warmup: { type: "string", default: "10000" },
      concurrency: { type: "string", default: "32" },
      steps: { type: "string", default: "10" },
      minutes: { type: "string", default: "0" },
    },
  });
  console.log("requests  resident MB  heap MB  descriptors");
  const { residentSlope, heapSlope, descriptorSlope, descriptorGrowth } = await soak({
    requests: Number(flags.requests),
    warmup: Number(flags.warmup),
    concurrency: Number(flags.concurrency),
    steps: Number(flags.steps),
    minutes: Number(flags.minutes),
    onSample: ({ requests, resident, heap, descriptors }) =>
      console.log(
        `${requests}`.padStart(8) + (resident / 1e6).toFixed(1).padStart(13) +
          (heap / 1e6).toFixed(2).padStart(9) + `${descriptors}`.padStart(13),
      ),
  });
  const kilobytes = (bytes: number) => `${(bytes / 1e3).toFixed(2)} kB`;
  console.log(
    `growth for each request: ${kilobytes(residentSlope)} resident, ${
      kilobytes(heapSlope)
    } of JavaScript objects, ` +
      `${descriptorSlope.toFixed(4)} descriptors (${descriptorGrowth} in all)`,
  );
}
