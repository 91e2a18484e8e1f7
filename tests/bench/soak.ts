/**
 * Whether the proxy grows, hangs or mixes answers up while it works: the real process in front of a model server, many
 * requests of all wires at once, streamed and whole, some of which their clients leave at any moment, and two open pages.
 *
 *     deno task bench:soak [--requests N] [--warmup N] [--concurrency N] [--steps N] [--minutes N] [--workers N]
 *
 * Without options it sends 30,000 requests, 32 at a time, and measures from the 10,000th on. The growth is the slope of
 * the line that fits the measurements best: resident memory, JavaScript objects that survive a garbage collection (of the
 * main thread), and open descriptors. Every answer has to carry the mark of its own request, and `/health` is asked all
 * the time from a thread of its own. `--minutes` repeats the steps until the time is over. Needs Linux: memory and
 * descriptors come from `/proc`, which Deno opens only with all permissions.
 *
 * @module
 */
import { Agent, createServer, request as openRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freePort, ServerProcess } from "../support/server_process.ts";
import { WIRE_TABLE, type WireRow } from "../support/wire_table.ts";

/** How much work a soak does. */
export interface SoakOptions {
  readonly requests: number;
  /** Requests before the first measurement. */
  readonly warmup: number;
  /** Requests that are open at the same time. */
  readonly concurrency: number;
  /** Measurements after the first one. */
  readonly steps: number;
  /** The least time that the measurements take. */
  readonly minutes?: number;
  /** More than one: that many worker threads. */
  readonly workers?: number;
  /** Receives every measurement. */
  readonly onSample?: (sample: SoakSample) => void;
}

/** What the process holds after a number of requests. */
export interface SoakSample {
  /** Requests so far, the warm-up included. */
  readonly requests: number;
  readonly resident: number;
  /** JavaScript objects after a garbage collection, in bytes. */
  readonly heap: number;
  /** Open descriptors, with no request open. */
  readonly descriptors: number;
}

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
  /** How many requests their clients left. */
  readonly left: number;
  /** The longest that `/health` took, in milliseconds. */
  readonly healthMs: number;
}

const ROOT = join(import.meta.dirname!, "..", "..");
const PROBE = join(ROOT, "tests", "support", "heap_probe.ts");

/** The client of every 19th request leaves, 5%. Every row of the table has its turn. */
const LEAVES_EVERY = 19;
/** Its multiples spread over all places of an answer, also where there are few. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;
/** An answer that takes longer hangs. */
const HANGS_MS = 30_000;
/** Open pages that follow the requests. */
const PAGES = 2;

/** The place of a request's mark in the prepared bytes. */
const MARK = "r@@@@@@@";

const TEXT = `I'll write the file ${MARK}.`;
const CONTENT = "A line of the file.\n".repeat(20);
const CALL = `\n<tool_call>\n<function=write_file>\n<parameter=path>\n${MARK}.txt\n</parameter>\n` +
  `<parameter=content>\n${CONTENT}</parameter>\n</function>\n</tool_call>`;

/** Both forms of the answer, ready to send: the model server and the client must not be what is measured. */
const STREAM = [
  ...[TEXT, ...CALL.match(/[^]{1,12}/g)!].map((content) => ({ delta: { content }, finish_reason: null })),
  { delta: {}, finish_reason: "stop" },
].map((choice) => `data: ${JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, ...choice }] })}\n\n`)
  .join("") + "data: [DONE]\n\n";
const WHOLE = JSON.stringify({
  id: "c",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: TEXT + CALL }, finish_reason: "stop" }],
});

const TOOL = {
  name: "write_file",
  schema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" } },
    required: ["path", "content"],
  },
};

/** Runs the proxy under load and measures what it keeps. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { concurrency, workers = 1 } = options;
  const folder = await Deno.makeTempDir();
  await using upstream = await startModel();
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const probePort = freePort();
  const threads = workers > 1 ? ["--workers", `${workers}`] : [];
  const server = await ServerProcess.start({
    name: "dragoman",
    folder,
    env: { HEAP_PROBE_PORT: `${probePort}` },
    args: [
      "--v8-flags=--expose-gc",
      PROBE,
      "serve",
      "--port",
      "PORT",
      "--upstream",
      upstream.url,
      ...threads,
    ],
  });
  const leaving = new AbortController();
  try {
    await server.isLoaded();
    const pages = Array.from({ length: PAGES }, () => followRequests(server.url, leaving.signal));
    const health = watchHealth(server);
    const sample = async (requests: number): Promise<SoakSample> => {
      const { heapUsed: heap } = await (await fetch(`http://127.0.0.1:${probePort}/`)).json();
      const [resident, descriptors] = [await server.residentBytes(), await server.openDescriptors()];
      const measured = { requests, resident, heap, descriptors };
      options.onSample?.(measured);
      return measured;
    };
    const load = new Load({ origin: server.url, agent, concurrency });
    await load.send(options.warmup);
    const samples = [await sample(options.warmup)];
    const until = performance.now() + (options.minutes ?? 0) * 60_000;
    const each = Math.ceil(options.requests / options.steps);
    while (samples.length <= options.steps || performance.now() < until) {
      await load.send(each);
      samples.push(await sample(options.warmup + samples.length * each));
    }
    const healthMs = await health.end();
    leaving.abort();
    await Promise.all(pages);
    const code = await server.stop();
    if (code !== 0) throw new Error(`The process ended with ${code}`);
    return {
      samples,
      residentSlope: slope(samples, ({ resident }) => resident),
      heapSlope: slope(samples, ({ heap }) => heap),
      descriptorSlope: slope(samples, ({ descriptors }) => descriptors),
      descriptorGrowth: samples.at(-1)!.descriptors - samples[0]!.descriptors,
      left: load.left,
      healthMs,
    };
  } finally {
    leaving.abort();
    agent.destroy();
    await server.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

/** A model server that sends prepared bytes, streamed in a few pieces that keep to no message. */
async function startModel(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    try {
      for await (const bytes of incoming) body += bytes;
    } catch {
      // The proxy gave the request up, because its client left.
      return;
    }
    const mark = /r\d{7}/.exec(body)?.[0] ?? MARK;
    const isStreamed = body.includes('"stream":true');
    outgoing.writeHead(200, { "content-type": isStreamed ? "text/event-stream" : "application/json" });
    if (isStreamed) await writeSlowly(outgoing, STREAM.replaceAll(MARK, mark));
    else outgoing.write(WHOLE.replaceAll(MARK, mark));
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

/** Leaves the proxy time to send each piece, so that clients can leave anywhere. */
async function writeSlowly(outgoing: ServerResponse, stream: string): Promise<void> {
  for (let at = 0; at < stream.length && !outgoing.destroyed; at += 2500) {
    outgoing.write(stream.slice(at, at + 2500));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Reads what an open page reads. */
async function followRequests(origin: string, signal: AbortSignal): Promise<void> {
  const { body } = await fetch(`${origin}/_dragoman/live`);
  const reader = body!.getReader();
  signal.addEventListener("abort", () => void reader.cancel());
  while (!(await reader.read()).done) continue;
  if (!signal.aborted) throw new Error("The stream of an open page ended");
}

/**
 * Asks `/health` again and again, in a thread that has nothing else to do; gives the longest time that it took. What the
 * process does not compute itself is the machine's: of each wait, its processor time counts where that is less.
 */
function watchHealth({ url, statPath }: ServerProcess): { end(): Promise<number> } {
  const code = `
    import { processorTime } from "${new URL("../support/server_process.ts", import.meta.url)}";
    const used = () => processorTime(Deno.readTextFileSync("${statPath}")) / 1000;
    let [longest, isOver] = [0, false];
    const ask = async () => {
      const [began, before] = [performance.now(), used()];
      await (await fetch("${url}/health")).text();
      longest = Math.max(longest, Math.min(performance.now() - began, used() - before));
      if (isOver) self.postMessage(longest);
      else setTimeout(ask, 20);
    };
    self.onmessage = () => isOver = true;
    void ask();`;
  const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });
  return {
    end: () =>
      new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => {
          worker.terminate();
          resolve(data);
        };
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage("end");
      }),
  };
}

/** Clients of all wires that ask in turn. */
class Load {
  /** How many requests their clients left. */
  left = 0;
  #sent = 0;
  readonly #origin: string;
  readonly #agent: Agent;
  readonly #concurrency: number;

  constructor(options: { readonly origin: string; readonly agent: Agent; readonly concurrency: number }) {
    this.#origin = options.origin;
    this.#agent = options.agent;
    this.#concurrency = options.concurrency;
  }

  /** Sends requests; throws if an answer is not the one to its request, or hangs. */
  async send(requests: number): Promise<void> {
    const until = this.#sent + requests;
    const client = async () => {
      while (this.#sent < until) await this.#ask(this.#sent++);
    };
    await Promise.all(Array.from({ length: this.#concurrency }, client));
  }

  async #ask(number: number): Promise<void> {
    const row = WIRE_TABLE[number % WIRE_TABLE.length]!;
    const mark = `r${String(number).padStart(7, "0")}`;
    const leaver = number / LEAVES_EVERY;
    // Answers have 1 to 14 kB; some clients would leave when they have all of it. The first one leaves at once.
    const leaveAt = Number.isInteger(leaver) ? Math.floor((leaver * GOLDEN_RATIO % 1) ** 2 * 8000) : Infinity;
    const text = await this.#exchange({ row, mark, leaveAt });
    if (text === undefined) return void this.left++;
    const { end, text: words, calls } = row.read({ status: 200, text, isBroken: false });
    const [name, args] = calls[0] ?? [];
    const { path, content } = Object(args);
    const isRight = end === "whole" && words.trimEnd() === TEXT.replace(MARK, mark) && calls.length === 1 &&
      name === "write_file" && path === `${mark}.txt` && content.trimEnd() === CONTENT.trimEnd();
    if (!isRight) throw new Error(`${row.name}: the answer to ${mark} is ${end}: ${text.slice(0, 2000)}`);
  }

  /** Asks; undefined if the client left after N characters. */
  #exchange(
    { row, mark, leaveAt }: { readonly row: WireRow; readonly mark: string; readonly leaveAt: number },
  ): Promise<string | undefined> {
    const { path, body } = row.request({ task: `Write ${mark}. ${"Context. ".repeat(100)}`, tool: TOOL });
    const json = JSON.stringify(body);
    const headers = { "content-type": "application/json", "content-length": json.length };
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
    const timer = setTimeout(() => reject(new Error(`${row.name}: ${mark} hangs`)), HANGS_MS);
    const asked = openRequest(
      this.#origin + path,
      { method: "POST", headers, agent: this.#agent },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (piece) => {
          text += piece;
          if (text.length >= leaveAt) leave();
        });
        answer.on("end", () => resolve(text));
        answer.on("error", reject);
      },
    );
    const leave = () => {
      resolve(undefined);
      asked.destroy();
    };
    asked.on("error", reject);
    asked.end(json);
    // Some leave before the answer begins.
    if (leaveAt < 100) setTimeout(leave, leaveAt / 20);
    return promise.finally(() => clearTimeout(timer));
  }
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

/** What a request may leave, in bytes, and how long `/health` may take. */
const RESIDENT_MAXIMUM = 500;
const HEALTH_MAXIMUM_MS = 200;

if (import.meta.main) {
  const { values: flags } = parseArgs({
    args: Deno.args,
    options: {
      requests: { type: "string", default: "20000" },
      warmup: { type: "string", default: "10000" },
      concurrency: { type: "string", default: "32" },
      steps: { type: "string", default: "10" },
      minutes: { type: "string", default: "0" },
      workers: { type: "string", default: "1" },
    },
  });
  console.log("requests  resident MB  heap MB  descriptors");
  const { residentSlope, heapSlope, descriptorSlope, descriptorGrowth, left, healthMs } = await soak({
    requests: Number(flags.requests),
    warmup: Number(flags.warmup),
    concurrency: Number(flags.concurrency),
    steps: Number(flags.steps),
    minutes: Number(flags.minutes),
    workers: Number(flags.workers),
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
  console.log(`${left} clients left; /health took ${healthMs.toFixed(0)} ms at most`);
  const isMissed = residentSlope > RESIDENT_MAXIMUM || healthMs > HEALTH_MAXIMUM_MS;
  if (isMissed) console.log(`Missed: ${RESIDENT_MAXIMUM / 1e3} kB for each request, ${HEALTH_MAXIMUM_MS} ms`);
  Deno.exitCode = isMissed ? 1 : 0;
}
