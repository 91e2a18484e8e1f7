/**
 * What workers gain: the most events a second that two cores could carry with one worker and with two, if the client and
 * the model server ran elsewhere. On one machine they share its cores, so the figure follows from processor time, which is
 * read from the kernel for each thread of the proxy:
 *
 *     events a second = events ÷ the larger of (all processor time ÷ cores, processor time of the busiest thread)
 *
 *     deno run --config tests/deno.json --allow-all tests/bench/workers.ts [--rounds N] [--only paced|bursts|saturated]
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BenchRequest } from "./proxy_peer.ts";
import { corpora } from "./proxy_corpus.ts";
import { ServerProcess } from "../support/server_process.ts";

const CORES = 2;

/** Each worker has as much to do, however many there are: a busier one reads more at a time, and pays less for each event. */
const STREAMS_PER_WORKER = 32;

/**
 * `paced`: each stream as fast as a model writes. `bursts`: 40 events arrive at once, as at a proxy that has more to do than
 * it can. In both, an event costs the same however many cores the bench has itself.
 * `saturated`: as fast as it goes. There the model server of the bench, which has one thread, can't fill two workers, they
 * read less at a time, and each event costs more: the figure is shown, and has no bound.
 */
const SPEEDS = {
  paced: { events: 200, intervalMs: 20, isBound: true },
  bursts: { events: 2_400, intervalMs: 80, burst: 40, isBound: true },
  saturated: { events: 600, intervalMs: 0, isBound: false },
} as const;

/** The least that two workers carry, as a ratio to one. */
const GAIN_MINIMUM = 1.7;

const ROOT = join(import.meta.dirname!, "..", "..");
const { values: flags } = parseArgs({
  args: Deno.args,
  options: { rounds: { type: "string", default: "3" }, only: { type: "string" } },
});

const TOOL = { type: "function", function: { name: "write_file", parameters: { type: "object" } } };

async function readStream({ url }: ServerProcess, bench: BenchRequest): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "bench",
      stream: true,
      messages: [{ role: "user", content: "go" }],
      tools: [TOOL],
      bench,
    }),
  });
  for await (const _ of response.body!);
}

interface Proxy {
  readonly server: ServerProcess;
  readonly count: number;
}

interface Load {
  /** Processor time for each event, in microseconds. */
  readonly perEvent: number;
  /** Events a second that the cores could carry. */
  readonly capacity: number;
}

async function measure({ server, count }: Proxy, bench: BenchRequest): Promise<Load> {
  const streams = STREAMS_PER_WORKER * count;
  const before = await server.threadMicroseconds();
  await Promise.all(Array.from({ length: streams }, () => readStream(server, bench)));
  const after = await server.threadMicroseconds();
  const times = [...after].map(([thread, time]) => time - (before.get(thread) ?? 0));
  const total = times.reduce((sum, time) => sum + time, 0);
  const events = streams * bench.events;
  return { perEvent: total / events, capacity: events / Math.max(total / CORES, ...times) * 1e6 };
}

const servers: ServerProcess[] = [];
const start = async (name: string, args: readonly string[]) => {
  const server = await ServerProcess.start({ name, folder: ROOT, args });
  servers.push(server);
  return server;
};

let worst = Infinity;
try {
  const upstream = await start("upstream", [join(import.meta.dirname!, "proxy_peer.ts"), "upstream", "PORT"]);
  const serve = async (count: number): Promise<Proxy> => ({
    count,
    server: await start(`${count} workers`, [
      join(ROOT, "main.ts"),
      "serve",
      "--quiet",
      "--workers",
      `${count}`,
      "--port",
      "PORT",
      "--upstream",
      `${upstream.url}/v1`,
    ]),
  });
  const proxies = [await serve(1), await serve(2)];
  for (const proxy of proxies) {
    await proxy.server.isLoaded();
    await measure(proxy, { corpus: "prose", events: 300, intervalMs: 0 });
  }
  const runs = corpora().flatMap(({ name }) =>
    Object.entries(SPEEDS)
      .filter(([speed]) => flags.only === undefined || flags.only === speed)
      .map(([speed, pace]) => ({ name, speed, pace }))
  );
  for (const { name, speed, pace: { isBound, ...pace } } of runs) {
    const what = `${name}, ${speed}`.padEnd(18);
    const best = new Map<string, Load>();
    for (let round = 0; round < Number(flags.rounds); round++) {
      for (const proxy of proxies) {
        const load = await measure(proxy, { corpus: name, ...pace });
        const known = best.get(proxy.server.name);
        if (load.capacity > (known?.capacity ?? 0)) best.set(proxy.server.name, load);
      }
    }
    const [one, two] = proxies.map(({ server }) => best.get(server.name)!);
    const gain = two!.capacity / one!.capacity;
    if (isBound) worst = Math.min(worst, gain);
    for (const [name, { perEvent, capacity }] of best) {
      console.log(
        `${what} ${name.padEnd(10)} ${perEvent.toFixed(2).padStart(6)} µs an event, ` +
          `${Math.round(capacity).toLocaleString("en").padStart(8)} events a second on ${CORES} cores`,
      );
    }
    console.log(`${what} gain ${gain.toFixed(2)}\n`);
  }
} finally {
  for (const server of servers) await server.stop();
}
if (worst < GAIN_MINIMUM) {
  console.log(`Missed: two workers carry ${worst.toFixed(2)} times as much, bound ${GAIN_MINIMUM}`);
  Deno.exitCode = 1;
}
