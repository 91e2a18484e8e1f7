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

/** The most processor time of an exchange, as a ratio to that of the proxy that does nothing about dying turns. */
const RATIO_MAXIMUM = 1.15;

/** How many exchanges one round measures. */
const COUNT = 60;

/** How many exchanges warm a server up: its code is compiled again and again until then. */
const WARM_UP = 500;

const { values: flags } = parseArgs({
  args: Deno.args,
  options: { rounds: { type: "string", default: "9" } },
});
const ROUNDS = Number(flags.rounds);

/** A clean answer: thoughts, a text, and a call of the server's own. */
const USAGE = { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960 };
const WORDS = "I read the file first and then I change the line that you named. ".repeat(4).split(/(?<= )/);
const STREAM = streamOf([
  { role: "assistant", content: "" },
  ...WORDS.map((word) => ({ reasoning_content: word })),
  ...WORDS.map((content) => ({ content })),
  ...parallelDeltas([{ name: TOOL.name, arguments: { path: "a.ts" } }]),
], { usage: USAGE });
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
  const { stream } = await request.json();
  const type = stream ? "text/event-stream" : "application/json";
  return new Response(stream ? STREAM : WHOLE, { headers: { "content-type": type } });
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
async function measure(server: ServerProcess, row: WireRow, warmUp = COUNT / 4): Promise<number> {
  const { path, body } = row.request({ system: "You are an agent.", task: "Go on.", tool: TOOL, past: PAST });
  const sent = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const exchange = async () => {
    const text = await (await fetch(server.url + path, sent)).text();
    if (row.wire === "chat") {
      assert.equal(text, row.isStreamed ? STREAM : WHOLE, `${server.name}, ${row.name}`);
    }
  };
  for (let count = 0; count < warmUp; count++) await exchange();
  const before = await server.scheduledMilliseconds();
  for (let count = 0; count < COUNT; count++) await exchange();
  return (await server.scheduledMilliseconds() - before) / COUNT;
}

const servers = [await start("living", ""), await start("off", OFF)];
let isMet = true;
for (const row of WIRE_TABLE.filter(({ wire }) => wire === "chat" || wire === "anthropic")) {
  const best = servers.map(() => Infinity);
  for (const server of servers) await measure(server, row, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    // In turns from both ends: a busy machine only makes a round slower, so the best round of each counts.
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const at of order) best[at] = Math.min(best[at]!, await measure(servers[at]!, row));
  }
  const ratio = best[0]! / best[1]!;
  isMet &&= ratio <= RATIO_MAXIMUM;
  const shown = best.map((value) => `${value.toFixed(2)} ms`).join(", ");
  console.log(`${row.name.padEnd(20)} living, off: ${shown}  ratio ${ratio.toFixed(2)}`);
}
for (const server of servers) await server.stop();
await upstream.shutdown();
console.log(isMet ? "The bound is met" : `Over the bound of ${RATIO_MAXIMUM}`);
Deno.exit(isMet ? 0 : 1);
