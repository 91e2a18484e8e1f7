/**
 * What each wire costs next to the chat route: processor time of the proxy for each event of a streamed answer, in turns
 * and in one run. The bound is a ratio, so a busy machine only makes it less exact.
 *
 *     deno run --config=tests/deno.json --allow-all tests/bench/wires.ts [--rounds N] [--plain]
 *
 * `--plain` offers no tool, so the chat route passes the bytes on unread. Needs Linux: processor time comes from `/proc`.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ServerProcess } from "../support/server_process.ts";
import { STREAMED_ROWS, type WireRow } from "../support/wire_table.ts";
import type { BenchRequest } from "./proxy_peer.ts";

const STREAMS = 16;
const SPEEDS = {
  saturated: { events: 2_000, intervalMs: 0 },
  paced: { events: 200, intervalMs: 10 },
} as const;
const CORPORA = ["prose", "code", "call"];

/** The most that a wire costs next to the chat route. */
const RATIO_MAXIMUM = 1.25;

const ROOT = join(import.meta.dirname!, "..", "..");
const { values: flags } = parseArgs({
  args: Deno.args,
  options: { rounds: { type: "string", default: "3" }, plain: { type: "boolean", default: false } },
});

const TOOL = {
  name: "write_file",
  schema: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
};

async function read(server: ServerProcess, row: WireRow, bench: BenchRequest): Promise<void> {
  // Every wire passes the model's name on as it is.
  const model = `bench ${JSON.stringify(bench)}`;
  const tool = flags.plain ? undefined : TOOL;
  const { path, body } = row.request({ task: "go", tool, model: encodeModel(row, model) });
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${row.name}: ${response.status} ${await response.text()}`);
  for await (const _ of response.body!);
}

function encodeModel({ wire }: WireRow, model: string): string {
  return wire === "gemini" ? encodeURIComponent(model) : model;
}

/** The proxy's processor time for each event, in microseconds. */
async function cost(server: ServerProcess, row: WireRow, bench: BenchRequest): Promise<number> {
  const before = await server.processorMicroseconds();
  await Promise.all(Array.from({ length: STREAMS }, () => read(server, row, bench)));
  return (await server.processorMicroseconds() - before) / (STREAMS * bench.events);
}

const misses: string[] = [];

async function compare(server: ServerProcess, title: string, bench: BenchRequest): Promise<void> {
  const best = new Map<string, number>();
  for (let round = 0; round <= Number(flags.rounds); round++) {
    for (const row of STREAMED_ROWS) {
      const microseconds = await cost(server, row, bench);
      // The first round warms the code up.
      if (round > 0) best.set(row.wire, Math.min(best.get(row.wire) ?? Infinity, microseconds));
    }
  }
  const chat = best.get("chat")!;
  console.log(`\n${title}: processor time for each event`);
  for (const [wire, microseconds] of best) {
    const ratio = microseconds / chat;
    console.log(`  ${wire.padEnd(10)} ${microseconds.toFixed(1).padStart(6)} µs ${ratio.toFixed(2)} × chat`);
    if (ratio > RATIO_MAXIMUM) misses.push(`${title}, ${wire}: ${ratio.toFixed(2)} × chat`);
  }
}

const servers: ServerProcess[] = [];
try {
  const peer = join(import.meta.dirname!, "proxy_peer.ts");
  const start = async (name: string, args: readonly string[]) => {
    const server = await ServerProcess.start({ name, folder: ROOT, args: [...args] });
    servers.push(server);
    return server;
  };
  const upstream = await start("upstream", [peer, "upstream", "PORT"]);
  const serve = [join(ROOT, "main.ts"), "serve", "--port", "PORT", "--upstream", `${upstream.url}/v1`];
  const dragoman = await start("dragoman", serve);
  await dragoman.isLoaded();
  for (const [speed, bench] of Object.entries(SPEEDS)) {
    for (const corpus of CORPORA) await compare(dragoman, `${speed}, ${corpus}`, { corpus, ...bench });
  }
} finally {
  for (const server of servers) await server.stop();
}
console.log(
  misses.length === 0 ? "\nThe bound is met." : `\nOver ${RATIO_MAXIMUM}:\n  ${misses.join("\n  ")}`,
);
if (misses.length > 0) Deno.exitCode = 1;
