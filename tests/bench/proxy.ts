/**
 * What the proxy costs: processor time for each event, memory, added latency, and what large requests block. Every
 * server runs on this machine, in turns, in one run, next to an untouched pass-through (`raw`) and the least proxy that
 * parses and writes every event (`json`). The bounds are ratios to `json`.
 *
 *     deno run --allow-all tests/bench/proxy.ts [--before FOLDER] [--rounds N] [--only start|idle|memory|requests|saturated|paced]
 *
 * `--before FOLDER` measures another checkout of Dragoman in the same run. Needs Linux: processor time and memory come
 * from `/proc`. Run it on a quiet machine.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { corpora, longCall } from "./proxy_corpus.ts";
import { type BenchRequest, sharedNow } from "./proxy_peer.ts";
import { type ServerCommand, ServerProcess } from "../support/server_process.ts";

const STREAMS = 32;
const SATURATED_EVENTS = 4_000;
const PACED_EVENTS = 400;
const PACED_INTERVAL_MS = 10;
/** Of how many events of a turn one warms the server up before it. */
const WARM_UP_SHARE = 4;
const IDLE_STREAMS = 256;
const MANY_TOOLS = 2_000;

/** Bounds for Dragoman as ratios to `json`, measured in the same run. */
const BOUNDS = {
  saturated: { prose: 0.95, code: 0.95, call: 1 },
  paced: { prose: 1.5, code: 1.5, call: 1.5 },
  idleStream: 1.3,
  peak: 1.8,
} as const;

/** The most memory that Dragoman may hold, in bytes: with no stream, at the peak of 32, and 35 seconds after the last. */
const BYTES_MAXIMUM = { idle: 90e6, busy: 190e6, after: 120e6 } as const;
/** How many events all streams have together while a peak is measured. */
const PEAK_EVENTS = 32_000;
/** How many streams at a time are measured. */
const STREAM_COUNTS = [1, 8, 32, 128] as const;
/** How long the engine gets to collect what the start, or the last answer, left. */
const SETTLED_MS = 35_000;

/** The longest that a request may block the event loop, in milliseconds. */
const BLOCKED_MS_MAXIMUM = 10;
/** The bytes on the wire for each character of a call that comes in pieces of four characters. */
const WIRE_RATIO_MAXIMUM = 15;
const ADDED_P99_MS_MAXIMUM = 2;
/** The longest time from the start of the process to an answer of `/health`, in milliseconds. */
const START_MS_MAXIMUM = 180;
/** The same with rules of the user's own, if an earlier start has checked them. */
const OWN_RULES_START_MS_MAXIMUM = 400;
const OWN_RULES = 300;
/** A start keeps checked rules a second after it. */
const KEPT_MS = 2_000;
/** How often each server starts; the best counts. */
const STARTS = 5;

const ROOT = join(import.meta.dirname!, "..", "..");
const { values: flags } = parseArgs({
  args: Deno.args,
  options: {
    before: { type: "string" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
  },
});
const ROUNDS = Number(flags.rounds);

type Part = "start" | "idle" | "memory" | "requests" | "saturated" | "paced";

function isWanted(part: Part): boolean {
  return flags.only === undefined || flags.only === part;
}

const misses: string[] = [];

function check(what: string, value: number, maximum: number): void {
  const isMet = value <= maximum;
  if (!isMet) misses.push(`${what}: ${value.toFixed(2)}, bound ${maximum}`);
}

const TOOL = {
  type: "function",
  function: {
    name: "write_file",
    parameters: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
  },
};

async function request(
  server: ServerProcess,
  bench: BenchRequest,
  options: { readonly tools?: readonly unknown[]; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const { tools = [TOOL], signal } = options;
  const messages = [{ role: "user", content: "go" }];
  return await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "bench", stream: true, messages, tools, bench }),
    ...(signal ? { signal } : {}),
  });
}

/** Reads one stream; gives the latencies of its timed events, in milliseconds. */
async function readStream(server: ServerProcess, bench: BenchRequest): Promise<number[]> {
  const response = await request(server, bench);
  if (bench.intervalMs === 0) {
    for await (const _ of response.body!);
    return [];
  }
  const latencies: number[] = [];
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const now = sharedNow();
    for (const [, written] of text.matchAll(/: written ([\d.]+)/g)) latencies.push(now - Number(written));
  }
  return latencies;
}

interface Cost {
  readonly microseconds: number;
  /** Its ratio to `json`: the median of the rounds, each of which measures all servers one after another. */
  readonly ratio: number;
  readonly p99: number;
  readonly peakBytes: number;
}

async function measureCost(server: ServerProcess, bench: BenchRequest): Promise<Omit<Cost, "ratio">> {
  // Clients don't begin together, so each paced stream has a phase of its own: all at once would be one burst.
  const streams = (events: number) =>
    Promise.all(Array.from({ length: STREAMS }, (_, index) => {
      const phaseMs = index / STREAMS * bench.intervalMs;
      return readStream(server, { ...bench, events, phaseMs });
    }));
  // A server that was idle while others had their turns compiles again and grows its heap again. That isn't what an event
  // costs, so each server gets some events first.
  await streams(Math.ceil(bench.events / WARM_UP_SHARE));
  await server.resetPeak();
  const before = await server.processorMicroseconds();
  const all = await streams(bench.events);
  const used = await server.processorMicroseconds() - before;
  const latencies = all.flat().sort((a, b) => a - b);
  return {
    microseconds: used / (STREAMS * bench.events),
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? NaN,
    peakBytes: await server.peakResidentBytes(),
  };
}

/** The best of the rounds for each server, taken in turns so that a noisy machine is noisy for all. */
async function costs(servers: readonly ServerProcess[], bench: BenchRequest): Promise<Map<string, Cost>> {
  const rounds: ReadonlyMap<string, Omit<Cost, "ratio">>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const measured = new Map<string, Omit<Cost, "ratio">>();
    for (const server of servers) measured.set(server.name, await measureCost(server, bench));
    rounds.push(measured);
  }
  return new Map(servers.map(({ name }) => {
    const own = rounds.map((round) => round.get(name)!);
    const ratios = rounds.map((round) => round.get(name)!.microseconds / round.get("json")!.microseconds);
    return [name, {
      microseconds: Math.min(...own.map(({ microseconds }) => microseconds)),
      ratio: median(ratios),
      p99: Math.min(...own.map(({ p99 }) => p99)),
      peakBytes: Math.min(...own.map(({ peakBytes }) => peakBytes)),
    }];
  }));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

const SPEEDS = { saturated: [SATURATED_EVENTS, 0], paced: [PACED_EVENTS, PACED_INTERVAL_MS] } as const;

async function benchCost(servers: readonly ServerProcess[]): Promise<void> {
  for (const speed of ["saturated", "paced"] as const) {
    if (!isWanted(speed)) continue;
    const [events, intervalMs] = SPEEDS[speed];
    for (const { name } of corpora()) {
      console.log(`\n${STREAMS} streams, ${speed}, ${name}: processor time for each event`);
      const table = await costs(servers, { corpus: name, events, intervalMs });
      const json = table.get("json")!;
      for (const [server, cost] of table) {
        const { ratio } = cost;
        const latency = speed === "paced" ? `  p99 ${cost.p99.toFixed(1)} ms` : "";
        console.log(
          `  ${server.padEnd(10)} ${cost.microseconds.toFixed(1).padStart(6)} µs ${ratio.toFixed(2)} × json` +
            `  peak ${megabytes(cost.peakBytes)} ${(cost.peakBytes / json.peakBytes).toFixed(2)} ×${latency}`,
        );
        if (server !== "dragoman") continue;
        check(`${speed}, ${name}, processor time`, ratio, BOUNDS[speed][name as "prose"]);
        if (speed === "paced") {
          const added = cost.p99 - table.get("raw")!.p99;
          check(`${speed}, ${name}, ms added at the 99th percentile`, added, ADDED_P99_MS_MAXIMUM);
        }
      }
    }
  }
}

/** The best of several starts for each server, in turns: until `/health` answers, and the processor time until then. */
async function benchStart(commands: readonly ServerCommand[]): Promise<void> {
  console.log(`\nFrom the start of the process to /health, best of ${STARTS}`);
  const best = new Map<string, { milliseconds: number; processor: number }>();
  for (let round = 0; round < STARTS; round++) {
    for (const command of commands) {
      const server = await ServerProcess.start(command);
      const processor = await server.processorMicroseconds() / 1000;
      await server.stop();
      const known = best.get(command.name);
      best.set(command.name, {
        milliseconds: Math.min(server.startMs, known?.milliseconds ?? Infinity),
        processor: Math.min(processor, known?.processor ?? Infinity),
      });
    }
  }
  for (const [server, { milliseconds, processor }] of best) {
    console.log(
      `  ${server.padEnd(10)} ${milliseconds.toFixed(0).padStart(6)} ms, processor time ${
        processor.toFixed(0)
      } ms`,
    );
    if (server === "dragoman") check("ms from the start to /health", milliseconds, START_MS_MAXIMUM);
  }
}

/** A rule of the user's own, unlike all others, in words that earlier versions know, too. */
function ownRule(name: string): string {
  return `rule: ${name}
description: The calls of a model, in tags
pattern: '(?:<calls_${name}>\\s*)?<${name}={tool}>(?<body>…)</${name}>(?:\\s*</calls_${name}>)?'
body: json
confidence: 0.95
examples:
  - name: one call
    offered: [write_file]
    input: '<${name}=write_file>{"path": "a.txt"}</${name}>'
    calls: [{ tool: write_file, arguments: { path: a.txt } }]
untouched:
  - name: a tool that isn't offered
    offered: [read_file]
    input: '<${name}=write_file>{"path": "a.txt"}</${name}>'
`;
}

/** The starts with many rules of the user's own: one that checks them, and later ones. */
async function benchOwnRules(commands: readonly ServerCommand[]): Promise<void> {
  console.log(
    `\nThe same with ${OWN_RULES} own rules: the first start, and the best of ${STARTS} later ones`,
  );
  const folder = await Deno.makeTempDir();
  const info = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(info.stdout)) as { readonly denoDir: string };
  await Deno.mkdir(join(folder, "rules"));
  for (let index = 0; index < OWN_RULES; index++) {
    const name = `own_${`${index}`.padStart(4, "0")}`;
    await Deno.writeTextFile(join(folder, "rules", `${name}.yaml`), ownRule(name));
  }
  try {
    for (const command of commands) {
      const times: string[] = [];
      let best = Infinity;
      for (let start = 0; start <= STARTS; start++) {
        const env = { XDG_CACHE_HOME: join(folder, command.name), DENO_DIR: denoDir };
        const server = await ServerProcess.start({ ...command, folder, env });
        const processor = await server.processorMicroseconds() / 1000;
        if (start === 0) await new Promise((resolve) => setTimeout(resolve, KEPT_MS));
        await server.stop();
        if (start > 0 && server.startMs >= best) continue;
        times[Math.min(start, 1)] = `${server.startMs.toFixed(0)} ms, processor time ${
          processor.toFixed(0)
        } ms`;
        if (start > 0) best = server.startMs;
      }
      console.log(`  ${command.name.padEnd(10)} ${times.join("   ")}`);
      if (command.name === "dragoman") {
        check("ms from the start with checked rules to /health", best, OWN_RULES_START_MS_MAXIMUM);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Lets the engine collect what the start, or the last answer, left. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
}

/** Opens streams in which nothing flows, until they are aborted. */
async function openIdle(server: ServerProcess, signal: AbortSignal): Promise<void> {
  const bench = { corpus: "prose", events: 1, intervalMs: 0, isIdle: true };
  await Promise.all(Array.from({ length: IDLE_STREAMS }, async () => {
    const response = await request(server, bench, { signal });
    await response.body!.getReader().read();
  }));
}

/**
 * The memory of each server alone: idle, at the peak of some streams at once, and after a pause. Each peak is that of its row:
 * the kernel's own mark is reset before it (`clear_refs`). The reference is `json`, measured in the same way.
 */
async function benchPeaks(servers: readonly ServerProcess[]): Promise<void> {
  const rows = new Map<string, Map<string, number>>();
  const add = (row: string, server: ServerProcess, bytes: number) => {
    const known = rows.get(row) ?? new Map();
    rows.set(row, known.set(server.name, Math.max(bytes, known.get(server.name) ?? 0)));
  };
  await settle();
  for (const server of servers) add("idle", server, await server.residentBytes());
  for (const count of STREAM_COUNTS) {
    for (const { name } of corpora()) {
      for (const server of servers) {
        await server.resetPeak();
        const events = Math.min(SATURATED_EVENTS, PEAK_EVENTS / count);
        const bench = { corpus: name, events, intervalMs: 0 };
        await Promise.all(Array.from({ length: count }, () => readStream(server, bench)));
        const peak = await server.peakResidentBytes();
        add(`${count} streams`, server, peak);
        add("whole run", server, peak);
      }
    }
  }
  await settle();
  for (const server of servers) add("after 35 s", server, await server.residentBytes());
  console.log(
    `\nMemory of the process: peaks of ${STREAM_COUNTS.join(", ")} streams, each reset before its row`,
  );
  for (const [row, table] of rows) {
    const json = table.get("json")!;
    const cells = [...table].map(([server, bytes]) =>
      `${server} ${megabytes(bytes)} ${(bytes / json).toFixed(2)} × json`
    );
    console.log(`  ${row.padEnd(12)} ${cells.join("   ")}`);
  }
  const own = (row: string) => rows.get(row)!.get("dragoman")!;
  check("MB of an idle server", own("idle") / 1e6, BYTES_MAXIMUM.idle / 1e6);
  check("MB at 32 streams", own("32 streams") / 1e6, BYTES_MAXIMUM.busy / 1e6);
  check("MB after 35 s", own("after 35 s") / 1e6, BYTES_MAXIMUM.after / 1e6);
  check("peak of the whole run", own("whole run") / rows.get("whole run")!.get("json")!, BOUNDS.peak);
}

/** What an open stream holds while nothing flows: memory that stays after the garbage of its request is collected. */
async function benchIdleStreams(servers: readonly ServerProcess[]): Promise<void> {
  // The first streams of a server load and compile code.
  const first = new AbortController();
  for (const server of servers) await openIdle(server, first.signal);
  first.abort();
  await settle();
  const before = await Promise.all(servers.map((server) => server.residentBytes()));
  const abort = new AbortController();
  for (const server of servers) await openIdle(server, abort.signal);
  await settle();
  const held = await Promise.all(servers.map(async (server, index) => {
    return (await server.residentBytes() - before[index]!) / IDLE_STREAMS;
  }));
  abort.abort();
  const json = held[servers.findIndex(({ name }) => name === "json")]!;
  console.log(`\n${IDLE_STREAMS} idle streams: memory for each, after ${SETTLED_MS / 1000} s`);
  for (const [index, { name }] of servers.entries()) {
    const bytes = held[index]!;
    console.log(
      `  ${name.padEnd(10)} ${(bytes / 1e3).toFixed(0).padStart(6)} kB ${(bytes / json).toFixed(2)} × json`,
    );
    // What shrinks wasn't settled, and states nothing.
    const ratio = json > 0 && bytes > 0 ? bytes / json : Infinity;
    if (name === "dragoman") check("memory of an idle stream", ratio, BOUNDS.idleStream);
  }
}

/** The longest pause of a server's event loop while something runs, in milliseconds: `/health` asked in a row. */
async function longestPause(server: ServerProcess, work: () => Promise<void>): Promise<number> {
  let isOver = false;
  let longest = 0;
  const asking = (async () => {
    while (!isOver) {
      const began = performance.now();
      const response = await fetch(`${server.url}/health`);
      await response.body?.cancel();
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  await work();
  isOver = true;
  await asking;
  return longest;
}

async function benchRequests(servers: readonly ServerProcess[]): Promise<void> {
  const own = servers.filter(({ name }) => name !== "raw" && name !== "json");
  console.log(`\nA request with ${MANY_TOOLS} tools: the longest wait for /health (each tool set is new)`);
  for (const server of own) {
    let best = Infinity;
    for (let round = 0; round < ROUNDS; round++) {
      const tools = Array.from({ length: MANY_TOOLS }, (_, index) => ({
        ...TOOL,
        function: { ...TOOL.function, name: `tool_${round}_${index}` },
      }));
      const ask = async () => {
        const response = await request(server, { corpus: "code", events: 50, intervalMs: 0 }, { tools });
        await response.body?.pipeTo(new WritableStream());
      };
      const quiet = await longestPause(server, () => new Promise((resolve) => setTimeout(resolve, 300)));
      best = Math.min(best, await longestPause(server, ask) - Math.min(quiet, 5));
    }
    console.log(`  ${server.name.padEnd(10)} ${best.toFixed(1)} ms`);
    if (server.name === "dragoman") {
      check("ms that a request with 2,000 tools blocks", best, BLOCKED_MS_MAXIMUM);
    }
  }
  const { name, pieces } = longCall();
  const length = pieces.join("").length;
  console.log(`\nA call of ${length} characters in pieces of four: bytes on the wire for each character`);
  for (const server of own) {
    const response = await request(server, { corpus: name, events: pieces.length, intervalMs: 0 });
    let bytes = 0;
    for await (const piece of response.body!) bytes += piece.length;
    console.log(`  ${server.name.padEnd(10)} ${(bytes / length).toFixed(1)}`);
    if (server.name === "dragoman") {
      check("bytes on the wire for each character", bytes / length, WIRE_RATIO_MAXIMUM);
    }
  }
}

/** Dragoman as its start task runs it, flags of the engine included. */
async function dragoman(name: string, folder: string, upstream: ServerProcess) {
  const { tasks } = JSON.parse(await Deno.readTextFile(join(folder, "deno.json")));
  const engineFlags = String(tasks.start.command).split(" ").filter((flag) => flag.startsWith("--v8-flags"));
  const args = [
    ...engineFlags,
    join(folder, "main.ts"),
    "serve",
    "--port",
    "PORT",
    "--upstream",
    `${upstream.url}/v1`,
  ];
  return { name, folder, args };
}

const servers: ServerProcess[] = [];
try {
  const peer = join(import.meta.dirname!, "proxy_peer.ts");
  const start = async (command: Parameters<typeof ServerProcess.start>[0]) => {
    const server = await ServerProcess.start(command);
    servers.push(server);
    return server;
  };
  const upstream = await start({ name: "upstream", folder: ROOT, args: [peer, "upstream", "PORT"] });
  const commands = [
    { name: "raw", folder: ROOT, args: [peer, "raw", "PORT", upstream.url] },
    { name: "json", folder: ROOT, args: [peer, "json", "PORT", upstream.url] },
    ...(flags.before === undefined ? [] : [await dragoman("before", flags.before, upstream)]),
    await dragoman("dragoman", ROOT, upstream),
  ];
  if (isWanted("start")) {
    await benchStart(commands);
    await benchOwnRules(commands.filter(({ name }) => name !== "raw" && name !== "json"));
  }
  // A peak leaves memory that goes while streams are open, so this part has servers of its own.
  if (isWanted("idle")) {
    await benchIdleStreams(await Promise.all(commands.map(start)));
    for (const server of servers.splice(1)) await server.stop();
  }
  if (flags.only !== "start" && flags.only !== "idle") {
    for (const command of commands) {
      await start(command);
    }
  }
  const measured = servers.slice(1);
  // What other parts leave in memory would count, and so would the page, so this part comes first.
  if (isWanted("memory")) await benchPeaks(measured);
  for (const server of measured) if (server.name !== "raw" && server.name !== "json") await server.isLoaded();
  if (isWanted("requests")) await benchRequests(measured);
  await benchCost(measured);
} finally {
  for (const server of servers) await server.stop();
}
console.log(misses.length === 0 ? "\nAll bounds are met." : `\nMissed:\n  ${misses.join("\n  ")}`);
if (misses.length > 0) Deno.exitCode = 1;
