/**
 * What the proxy costs beside an untouched pass-through in Deno: processor time an event and added latency, at 32
 * streams of 100 tokens a second, every process on this machine.
 *
 *     deno run --allow-all tests/bench/proxy.ts
 *
 * Bounds: at most 2.5 times the processor time an event of the pass-through, at most 2 ms more at the 99th percentile.
 * Needs Linux: processor time is read from /proc.
 *
 * @module
 */
import { join } from "node:path";
import { sharedNow } from "./proxy_peer.ts";

const STREAMS = 32;
const EVENTS = 500;
const INTERVAL_MS = 10;
const ROUNDS = 3;
const TIMES_MAXIMUM = 2.5;
const ADDED_MS_MAXIMUM = 2;

const ROOT = join(import.meta.dirname!, "..", "..");
/** The kernel counts processor time in hundredths of a second. */
const TICK_US = 10_000;

interface Server {
  readonly name: string;
  readonly url: string;
  readonly process: Deno.ChildProcess;
}

async function spawn(name: string, port: number, args: readonly string[]): Promise<Server> {
  const process = new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", ...args],
    cwd: ROOT,
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; attempt < 200; attempt++) {
    const isUp = await fetch(`${url}/health`).then(async (response) => (await response.body?.cancel(), true))
      .catch(() => false);
    if (isUp) return { name, url, process };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${name} does not answer`);
}

/** A port that is free now. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}

async function processorTicks({ process }: Server): Promise<number> {
  const fields = (await Deno.readTextFile(`/proc/${process.pid}/stat`)).split(") ")[1]!.split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** Reads one stream and gives the latency of each of its events, in milliseconds. */
async function readStream(url: string): Promise<number[]> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "bench",
      stream: true,
      messages: [{ role: "user", content: "go" }],
      tools: [{ type: "function", function: { name: "write_file", parameters: { type: "object" } } }],
      pace: { events: EVENTS, intervalMs: INTERVAL_MS },
    }),
  });
  const latencies: number[] = [];
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const now = sharedNow();
    for (const [, written] of text.matchAll(/"written":([\d.]+)/g)) latencies.push(now - Number(written));
  }
  return latencies;
}

interface Cost {
  readonly microsecondsAnEvent: number;
  readonly p50: number;
  readonly p99: number;
}

async function measure(server: Server): Promise<Cost> {
  const before = await processorTicks(server);
  const all = (await Promise.all(Array.from({ length: STREAMS }, () => readStream(server.url)))).flat();
  const ticks = await processorTicks(server) - before;
  all.sort((a, b) => a - b);
  const at = (share: number) => all[Math.floor(all.length * share)] ?? NaN;
  return { microsecondsAnEvent: ticks * TICK_US / all.length, p50: at(0.5), p99: at(0.99) };
}

function print(server: Server, { microsecondsAnEvent, p50, p99 }: Cost): void {
  const cost = `${microsecondsAnEvent.toFixed(1)} µs of processor an event`;
  console.log(
    `  ${server.name.padEnd(22)} ${cost.padEnd(36)} p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`,
  );
}

const [upstreamPort, passPort, proxyPort] = [freePort(), freePort(), freePort()];
const servers: Server[] = [];
try {
  const upstream = await spawn("upstream", upstreamPort, [
    "tests/bench/proxy_peer.ts",
    "upstream",
    `${upstreamPort}`,
  ]);
  servers.push(upstream);
  const peer = ["tests/bench/proxy_peer.ts", "passthrough", `${passPort}`, upstream.url];
  const pass = await spawn("untouched pass-through", passPort, peer);
  servers.push(pass);
  const own = ["main.ts", "serve", "--port", `${proxyPort}`, "--upstream", `${upstream.url}/v1`];
  const proxy = await spawn("dragoman", proxyPort, own);
  servers.push(proxy);

  const costs = new Map<Server, Cost>();
  console.log(`${STREAMS} streams of ${1000 / INTERVAL_MS} tokens a second, ${EVENTS} events each`);
  for (let round = 0; round < ROUNDS; round++) {
    for (const server of [pass, proxy]) {
      const cost = await measure(server);
      print(server, cost);
      if (cost.microsecondsAnEvent < (costs.get(server)?.microsecondsAnEvent ?? Infinity)) {
        costs.set(server, cost);
      }
    }
  }
  const times = costs.get(proxy)!.microsecondsAnEvent / costs.get(pass)!.microsecondsAnEvent;
  const added = costs.get(proxy)!.p99 - costs.get(pass)!.p99;
  console.log(
    `\n${times.toFixed(2)} × the processor time of the pass-through (bound ${TIMES_MAXIMUM}), ` +
      `${added.toFixed(2)} ms more at the 99th percentile (bound ${ADDED_MS_MAXIMUM})`,
  );
  if (times > TIMES_MAXIMUM || added > ADDED_MS_MAXIMUM) Deno.exitCode = 1;
} finally {
  for (const { process } of servers) {
    process.kill("SIGTERM");
    await process.status;
  }
}
