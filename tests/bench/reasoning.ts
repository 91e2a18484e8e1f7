/**
 * What it costs to look for thoughts in answers that have none: processor time of the proxy for each event of a streamed
 * answer with `policy.reasoning_text: separate`, next to `keep`, in turns and in one run.
 *
 *     deno run --config=tests/deno.json --allow-all tests/bench/reasoning.ts [--rounds N] [--before FOLDER]
 *
 * With an earlier clone's folder, it is the third one. Needs Linux: processor time comes from `/proc`.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ServerProcess } from "../support/server_process.ts";
import { STREAMED_ROWS } from "../support/wire_table.ts";

const STREAMS = 16;
const EVENTS = 2_000;
const CORPORA = ["prose", "code"];

/** The most that a text costs with `separate` next to `keep`; without a tool, one that keeps its thoughts passes unread. */
const RATIO_MAXIMUM = { tool: 1.25, none: 2.5 };

const ROOT = join(import.meta.dirname!, "..", "..");
const { values: flags } = parseArgs({
  args: Deno.args,
  options: { rounds: { type: "string", default: "5" }, before: { type: "string" } },
});

const TOOL = {
  name: "write_file",
  schema: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
};

/** A server whose streams aren't looked at before they are read. */
const KNOWN = "server: vllm, tools: native, begins_in_reasoning: false";

const CHAT = STREAMED_ROWS.find(({ wire }) => wire === "chat")!;

interface Asked {
  readonly corpus: string;
  readonly hasTool: boolean;
}

async function read(server: ServerProcess, { corpus, hasTool }: Asked): Promise<void> {
  const model = `bench ${JSON.stringify({ corpus, events: EVENTS, intervalMs: 0 })}`;
  const { path, body } = CHAT.request({ task: "go", model, ...hasTool ? { tool: TOOL } : {} });
  const headers = { "content-type": "application/json" };
  const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  for await (const _ of response.body!);
}

/** The proxy's processor time for each event, in microseconds. */
async function cost(server: ServerProcess, asked: Asked): Promise<number> {
  const before = await server.processorMicroseconds();
  await Promise.all(Array.from({ length: STREAMS }, () => read(server, asked)));
  return (await server.processorMicroseconds() - before) / (STREAMS * EVENTS);
}

const misses: string[] = [];

async function compare(servers: readonly ServerProcess[], asked: Asked): Promise<void> {
  const best = new Map<string, number>();
  for (let round = 0; round <= Number(flags.rounds); round++) {
    for (const server of servers) {
      const microseconds = await cost(server, asked);
      // The first round warms the code up.
      if (round > 0) best.set(server.name, Math.min(best.get(server.name) ?? Infinity, microseconds));
    }
  }
  const kept = best.get("keep")!;
  console.log(`\n${asked.corpus}, ${asked.hasTool ? "a tool" : "no tool"}: processor time for each event`);
  for (const [name, microseconds] of best) {
    const ratio = microseconds / kept;
    console.log(`  ${name.padEnd(10)} ${microseconds.toFixed(1).padStart(6)} µs ${ratio.toFixed(2)} × keep`);
    const maximum = RATIO_MAXIMUM[asked.hasTool ? "tool" : "none"];
    if (name === "separate" && ratio > maximum) {
      misses.push(`${asked.corpus}: ${ratio.toFixed(2)} × keep, wanted: ${maximum}`);
    }
  }
}

const folder = await Deno.makeTempDir({ prefix: "dragoman-bench-" });
const running: ServerProcess[] = [];
try {
  const start = async (name: string, args: readonly string[]) => {
    const server = await ServerProcess.start({ name, folder: ROOT, args: [...args] });
    running.push(server);
    return server;
  };
  const upstream = await start("upstream", [join(import.meta.dirname!, "proxy_peer.ts"), "upstream", "PORT"]);
  const serve = async (name: string, project: string, policy: string) => {
    const config = join(folder, `${name}.yaml`);
    const own = `{ name: local, url: "${upstream.url}/v1", ${KNOWN} }`;
    await Deno.writeTextFile(config, `upstreams: [${own}]\npolicy: ${policy}\n`);
    const main = ["--config", join(project, "deno.json"), join(project, "main.ts")];
    const server = await start(name, [...main, "serve", "--port", "PORT", "-c", config]);
    await server.isLoaded();
    return server;
  };
  const proxies = [
    await serve("keep", ROOT, "{ reasoning_text: keep }"),
    await serve("separate", ROOT, "{ reasoning_text: separate }"),
    ...flags.before === undefined ? [] : [await serve("before", flags.before, "{}")],
  ];
  for (const hasTool of [true, false]) {
    for (const corpus of CORPORA) await compare(proxies, { corpus, hasTool });
  }
} finally {
  for (const server of running) await server.stop();
  await Deno.remove(folder, { recursive: true });
}
console.log(misses.length === 0 ? "\nThe bounds are met." : `\nMissed:\n  ${misses.join("\n  ")}`);
if (misses.length > 0) Deno.exitCode = 1;
