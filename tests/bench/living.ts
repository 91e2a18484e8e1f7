/**
 * What keeping turns alive costs a turn that lives: the processor time of the proxy for a clean exchange of an agent, with
 * all that `when_a_turn_dies.md` describes, next to the same with all of it switched off, in turns, in one run. On chat
 * completions, each answer must be the upstream's, byte for byte.
 *
 *     deno run --allow-all tests/bench/living.ts [--rounds N]
 *
 * Needs Linux, like `proxy.ts`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { parallelDeltas, streamOf } from "../support/native_answers.ts";
import { ServerProcess } from "../support/server_process.ts";
import { TOOL, WIRE_TABLE, type WireRow } from "../support/wire_table.ts";

/**
 * The most processor time of a long answer, as a ratio to that of the proxy that does nothing about dying turns; and the most
 * that any exchange costs more, in milliseconds: it is the same for short and long answers.
 */
const RATIO_MAXIMUM = 1.15;
const ADDED_MS_MAXIMUM = 1;

/** How many exchanges one round measures. */
const COUNT = 40;

/** How many exchanges warm a server up: its code is compiled again and again until then. */
const WARM_UP = 200;

const { values: flags } = parseArgs({
  args: Deno.args,
  options: { rounds: { type: "string", default: "9" } },
});
const ROUNDS = Number(flags.rounds);

/** A clean answer: thoughts, a text, and a call of the server's own. */
const USAGE = { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960 };
const WORDS = "I read the file first and then I change the line that you named. ".repeat(4).split(/(?<= )/);
const streamWith = (words: readonly string[]) =>
  streamOf([
    { role: "assistant", content: "" },
    ...words.map((word) => ({ reasoning_content: word })),
    ...words.map((content) => ({ content })),
    ...parallelDeltas([{ name: TOOL.name, arguments: { path: "a.ts" } }]),
  ], { usage: USAGE });
const MANY = Array.from({ length: 2000 }, (_, at) => `${WORDS[at % WORDS.length]}${at} `);
const STREAMS: Readonly<Record<string, string>> = { short: streamWith(WORDS), long: streamWith(MANY) };
const WHOLE = JSON.stringify({
  id: "chatcmpl-native",
  created: 1_700_000_000,
  model: "m",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: WORDS.join("") }, finish_reason: "stop" }],
  usage: USAGE,
});

const upstream = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
  if (!request.url.endsWith("/chat/completions")) return new Response("not found", { status: 404 });
  const { stream, messages } = await request.json();
  const type = stream ? "text/event-stream" : "application/json";
  const body = stream ? STREAMS[messages[1].content] : WHOLE;
  return new Response(body, { headers: { "content-type": type } });
});

const OFF = `
policy: { empty_answer: pass, loop: pass, long_prompt: pass, repeated_thoughts: pass, dropped_thoughts: pass }
limits: { keep_alive_ms: 0 }
cache: { watch: false }
`;

async function start(name: string, more: string): Promise<ServerProcess> {
  const folder = await Deno.makeTempDir();
  const url = `http://127.0.0.1:${upstream.addr.port}/v1`;
  await Deno.writeTextFile(
    join(folder, "dragoman.yaml"),
    `upstreams: [{ name: local, url: "${url}", server: llama.cpp }]\n${more}`,
  );
  const main = join(import.meta.dirname!, "..", "..", "main.ts");
  const server = await ServerProcess.start({ name, folder, args: [main, "serve", "--port", "PORT"] });
  await server.isLoaded();
  return server;
}

/** A conversation with earlier calls, whose results differ. */
const PAST = Array.from({ length: 8 }, (_, at) => ({
  text: `Step ${at}.`,
  name: TOOL.name,
  args: { at },
  result: `line ${at}\n`.repeat(40),
}));

/** The processor time of an exchange, in milliseconds. */
interface Exchange {
  readonly row: WireRow;
  /** `short` or `long`. */
  readonly length: string;
}

async function measure(
  server: ServerProcess,
  { row, length }: Exchange,
  warmUp = COUNT / 4,
): Promise<number> {
  const { path, body } = row.request({ system: "You are an agent.", task: length, tool: TOOL, past: PAST });
  const sent = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const exchange = async () => {
    const text = await (await fetch(server.url + path, sent)).text();
    if (row.wire === "chat") {
      assert.equal(text, row.isStreamed ? STREAMS[length] : WHOLE, `${server.name}, ${row.name}`);
    }
  };
  for (let count = 0; count < warmUp; count++) await exchange();
  const before = await server.scheduledMilliseconds();
  for (let count = 0; count < COUNT; count++) await exchange();
  return (await server.scheduledMilliseconds() - before) / COUNT;
}

const servers = [await start("living", ""), await start("off", OFF)];
let isMet = true;
const exchanges = WIRE_TABLE.filter(({ wire }) => wire === "chat" || wire === "anthropic")
  .flatMap((row) => (row.isStreamed ? ["short", "long"] : ["short"]).map((length) => ({ row, length })));
for (const exchange of exchanges) {
  const best = servers.map(() => Infinity);
  for (const server of servers) await measure(server, exchange, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    // In turns from both ends: a busy machine only makes a round slower, so the best round of each counts.
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const at of order) best[at] = Math.min(best[at]!, await measure(servers[at]!, exchange));
  }
  const [living = NaN, off = NaN] = best;
  isMet &&= living - off <= ADDED_MS_MAXIMUM || living / off <= RATIO_MAXIMUM;
  if (exchange.length === "long") isMet &&= living / off <= RATIO_MAXIMUM;
  const name = `${exchange.row.name}, ${exchange.length}`.padEnd(26);
  console.log(
    `${name} ${living.toFixed(2)} ms, off ${off.toFixed(2)} ms, ratio ${(living / off).toFixed(2)}`,
  );
}
for (const server of servers) await server.stop();
await upstream.shutdown();
console.log(isMet ? "The bounds are met" : `Over a bound: ${RATIO_MAXIMUM} ×, ${ADDED_MS_MAXIMUM} ms`);
Deno.exit(isMet ? 0 : 1);
