/**
 * Whether the proxy grows while it works: the real process in front of a scripted model server, many requests at once,
 * and what a request leaves behind.
 *
 *     deno task bench:soak [--requests N] [--warmup N] [--concurrency N] [--steps N] [--minutes N]
 *
 * The growth is the slope of a line through measurements after the warm-up: resident memory, JavaScript objects that
 * survive a garbage collection, and open descriptors. `--minutes` repeats the steps until the time is over. Needs
 * Linux: memory and descriptors come from `/proc`.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startUpstream } from "../support/scripted_upstream.ts";
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
  /** Measurements go on at least so long. */
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
  /** Descriptors at the end that were not open after the warm-up. */
  readonly descriptorGrowth: number;
}

const ROOT = join(import.meta.dirname!, "..", "..");
const PROBE = join(ROOT, "tests", "support", "heap_probe.ts");

const ANSWER =
  "I'll write the file.\n<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n" +
  `<parameter=content>\n${"A line of the file.\n".repeat(20)}</parameter>\n</function>\n</tool_call>`;

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
  await using upstream = startUpstream({ text: ANSWER });
  const probePort = freePort();
  const server = await ServerProcess.start({
    name: "dragoman",
    folder,
    env: { HEAP_PROBE_PORT: `${probePort}` },
    args: ["--v8-flags=--expose-gc", PROBE, "serve", "--port", "PORT", "--upstream", upstream.url],
  });
  try {
    const sample = async (requests: number): Promise<SoakSample> => {
      const heap = Number(await (await fetch(`http://127.0.0.1:${probePort}/`)).text());
      const [resident, descriptors] = [await server.residentBytes(), await server.openDescriptors()];
      const measured = { requests, resident, heap, descriptors };
      options.onSample?.(measured);
      return measured;
    };
    await load(server.url, { requests: options.warmup, concurrency: options.concurrency });
    const samples = [await sample(options.warmup)];
    const until = performance.now() + (options.minutes ?? 0) * 60_000;
    const each = Math.ceil(options.requests / options.steps);
    while (samples.length <= options.steps || performance.now() < until) {
      await load(server.url, { requests: each, concurrency: options.concurrency });
      samples.push(await sample(options.warmup + samples.length * each));
    }
    return {
      samples,
      residentSlope: slope(samples, ({ resident }) => resident),
      heapSlope: slope(samples, ({ heap }) => heap),
      descriptorGrowth: samples.at(-1)!.descriptors - samples[0]!.descriptors,
    };
  } finally {
    await server.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Sends requests, so many at once, every second one streamed; throws if an answer has no call. */
async function load(
  origin: string,
  { requests, concurrency }: { requests: number; concurrency: number },
): Promise<void> {
  let sent = 0;
  const client = async () => {
    while (sent < requests) {
      const text = await ask(origin, sent++ % 2 === 0);
      if (!text.includes('"tool_calls"')) throw new Error(`An answer has no call: ${text.slice(-500)}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
}

async function ask(origin: string, stream: boolean): Promise<string> {
  const messages = [{ role: "user", content: `Write a file. ${"Context. ".repeat(100)}` }];
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", stream, messages, tools: [TOOL] }),
  });
  return await response.text();
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
      requests: { type: "string", default: "3000" },
      warmup: { type: "string", default: "1000" },
      concurrency: { type: "string", default: "32" },
      steps: { type: "string", default: "6" },
      minutes: { type: "string", default: "0" },
    },
  });
  console.log("requests  resident MB  heap MB  descriptors");
  const { residentSlope, heapSlope, descriptorGrowth } = await soak({
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
  console.log(
    `growth: ${(residentSlope / 1e3).toFixed(2)} kB a request resident, ${
      (heapSlope / 1e3).toFixed(2)
    } kB a request of JavaScript objects, ${descriptorGrowth} descriptors`,
  );
}
