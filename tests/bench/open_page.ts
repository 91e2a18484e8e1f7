/**
 * What an open page costs the proxy: processor time for each event of an answer, without a page, with one that follows the
 * requests, and with one that also reads an opened request again and again. The same process is measured in turns.
 *
 *     deno run --allow-all tests/bench/open_page.ts [--rounds N]
 *
 * The last line states whether an open page costs at most 1.2 times as much. Needs Linux: processor time comes from `/proc`.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ServerProcess } from "../support/server_process.ts";
import type { LiveBatch } from "../../src/admin/live/request.ts";

const STREAMS = 32;
const SPEEDS = {
  saturated: { events: 2000, intervalMs: 0 },
  paced: { events: 200, intervalMs: 10 },
} as const;
/** The highest ratio of an open page to none. */
const RATIO_MAXIMUM = 1.2;
/** How often the page reads an opened request. */
const DETAIL_MS = 300;

const ROOT = join(import.meta.dirname!, "..", "..");
const { values: { rounds } } = parseArgs({
  args: Deno.args,
  options: { rounds: { type: "string", default: "3" } },
});

const TOOL = {
  type: "function",
  function: { name: "write_file", parameters: { type: "object", properties: { path: { type: "string" } } } },
};

type Page = "no page" | "open page" | "opened request";

/** Follows the requests as the page does; gives what ends it. */
async function openPage(server: ServerProcess, page: Page): Promise<() => Promise<void>> {
  if (page === "no page") return () => Promise.resolve();
  const stop = new AbortController();
  const response = await fetch(`${server.url}/_dragoman/live`, { signal: stop.signal });
  let latest: string | undefined;
  const reading = (async () => {
    let text = "";
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const message = text.slice(0, end);
        text = text.slice(end + 2);
        if (message.startsWith("data: ")) latest = idOf(JSON.parse(message.slice("data: ".length))) ?? latest;
      }
    }
  })().catch(() => undefined);
  const timer = page === "open page" ? undefined : setInterval(async () => {
    if (latest !== undefined) await (await fetch(`${server.url}/_dragoman/live/${latest}`)).text();
  }, DETAIL_MS);
  return async () => {
    clearInterval(timer);
    stop.abort();
    await reading;
  };
}

function idOf({ requests }: LiveBatch): string | undefined {
  return requests.at(-1)?.id;
}

async function microsecondsOf(server: ServerProcess, speed: keyof typeof SPEEDS): Promise<number> {
  const before = await server.processorMicroseconds();
  const bench = { corpus: "prose", ...SPEEDS[speed] };
  const body = JSON.stringify({
    ...{ model: "bench", stream: true, tools: [TOOL], bench },
    messages: [{ role: "user", content: "go" }],
  });
  await Promise.all(Array.from({ length: STREAMS }, async () => {
    const response = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });
    for await (const _ of response.body!);
  }));
  return (await server.processorMicroseconds() - before) / (STREAMS * bench.events);
}

const servers: ServerProcess[] = [];
const misses: string[] = [];
const folder = await Deno.makeTempDir();
try {
  const peer = join(import.meta.dirname!, "proxy_peer.ts");
  const upstream = await ServerProcess.start({
    name: "upstream",
    folder: ROOT,
    args: [peer, "upstream", "PORT"],
  });
  servers.push(upstream);
  for (const contents of [false, true]) {
    const config = join(folder, `${contents}.yaml`);
    await Deno.writeTextFile(
      config,
      `upstreams: [{ name: bench, url: "${upstream.url}/v1" }]\nadmin: { contents: ${contents} }\n`,
    );
    const server = await ServerProcess.start({
      name: "dragoman",
      folder,
      args: [join(ROOT, "main.ts"), "serve", "--quiet", "--port", "PORT", "--config", config],
    });
    servers.push(server);
    await server.isLoaded();
    await microsecondsOf(server, "saturated");
    for (const speed of ["saturated", "paced"] as const) await compare(server, { speed, contents });
    await server.stop();
  }
} finally {
  for (const server of servers) await server.stop();
  await Deno.remove(folder, { recursive: true });
}
console.log(misses.length === 0 ? "\nAll bounds are met." : `\nMissed:\n  ${misses.join("\n  ")}`);
if (misses.length > 0) Deno.exitCode = 1;

/** The best of the rounds for each kind of page, taken in turns. */
async function compare(
  server: ServerProcess,
  { speed, contents }: { readonly speed: keyof typeof SPEEDS; readonly contents: boolean },
): Promise<void> {
  const best = new Map<Page, number>();
  const pages: readonly Page[] = contents
    ? ["no page", "open page", "opened request"]
    : ["no page", "open page"];
  for (let round = 0; round < Number(rounds); round++) {
    for (const page of pages) {
      const close = await openPage(server, page);
      const used = await microsecondsOf(server, speed);
      await close();
      best.set(page, Math.min(best.get(page) ?? Infinity, used));
    }
  }
  console.log(
    `\n${STREAMS} streams, ${speed}, texts ${contents ? "kept" : "not kept"}: processor time for each event`,
  );
  for (const [page, used] of best) {
    const ratio = used / (best.get("no page") ?? NaN);
    console.log(`  ${page.padEnd(15)} ${used.toFixed(2).padStart(6)} µs  ${ratio.toFixed(2)} × no page`);
    if (page === "open page" && ratio > RATIO_MAXIMUM) {
      misses.push(
        `${speed}, texts ${contents ? "kept" : "not kept"}: ${ratio.toFixed(2)}, bound ${RATIO_MAXIMUM}`,
      );
    }
  }
}
