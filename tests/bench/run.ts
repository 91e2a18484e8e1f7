/**
 * How fast the matcher is, next to the nearest TypeScript parser and one identity stream, all in this run.
 *
 *     deno task bench
 *
 * Each text comes in pieces of 4 to 20 characters; each reader is warmed up, then the best of several rounds
 * counts, taken in turns so that a noisy machine is noisy for all. Each text has its own bound (`corpus.ts`). A reader
 * that finds other calls than the matcher is marked, because it does other work.
 *
 * @module
 */
import type { Sink } from "../../src/chat/event/stage.ts";
import { isDeepStrictEqual } from "node:util";
import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from "@ai-sdk-tool/parser";
import { loadRules } from "../../src/engine/rule/load.ts";
import { textAnswer } from "../../src/engine/event/stage.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";
import type { Program } from "../../src/engine/scan/program.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { corpora, type Corpus, pieces } from "./corpus.ts";

/** How long each reader is warmed up, and then how many rounds are measured. */
const WARM_UP_MS = 700;
const ROUNDS = 7;
const LENGTH = 100_000;

/** What any stage of a stream costs. */
const IDENTITY = "one identity TransformStream";

const PARAMETERS = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
  required: ["path", "content"],
};
const OFFERED = offer([{ name: "write_file", schema: PARAMETERS }]);
const PROTOCOLS = { hermes: hermesProtocol, qwen3coder: qwen3CoderProtocol, "morph-xml": morphXmlProtocol };

/** A call that a reader found, with its arguments as JSON. */
interface FoundCall {
  readonly tool: string;
  json: string;
}

/** Reads all pieces; gives the calls it saw, so that no one wins by not looking. */
type Reader = (chunks: readonly string[]) => Promise<readonly FoundCall[]>;

function matcher(program: Program): Reader {
  return (chunks) => {
    const options = { offered: OFFERED, minimumConfidence: 0.9, wholeCalls: false };
    const running = new Matcher(program, options);
    const calls: FoundCall[] = [];
    const out: Sink = {
      push: (event) => {
        if (event.kind === "call_start") calls.push({ tool: event.tool, json: "" });
        if (event.kind === "arguments") calls.at(-1)!.json += event.json;
      },
    };
    for (const event of textAnswer(chunks)) running.push(event, out);
    return Promise.resolve(calls);
  };
}

function parser(name: keyof typeof PROTOCOLS): Reader {
  return (chunks) => {
    const tools = [{ type: "function" as const, name: "write_file", inputSchema: PARAMETERS }];
    // The peer's own types want a literal schema; the value is one.
    const stream = PROTOCOLS[name]().createStreamParser({ tools: tools as never });
    return drain(stream, chunks.map((delta) => ({ type: "text-delta" as const, id: "1", delta })));
  };
}

const identity: Reader = (chunks) => drain(new TransformStream(), chunks.map((text) => ({ type: text })));

async function drain<T extends { type: string }>(
  stream: ReadableWritablePair<unknown, T>,
  parts: readonly T[],
): Promise<readonly FoundCall[]> {
  const calls: FoundCall[] = [];
  for await (const part of ReadableStream.from(parts).pipeThrough(stream)) {
    const { type, toolName, input } = part as { type?: unknown; toolName?: string; input?: string };
    if (type === "tool-call") calls.push({ tool: toolName ?? "", json: input ?? "" });
  }
  return calls;
}

interface Row {
  readonly name: string;
  readonly seconds: number;
  readonly calls: readonly FoundCall[];
}

async function measure(chunks: readonly string[], readers: ReadonlyMap<string, Reader>): Promise<Row[]> {
  const best = new Map<string, Row>();
  for (const read of readers.values()) {
    for (const until = performance.now() + WARM_UP_MS; performance.now() < until;) await read(chunks);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, read] of readers) {
      const began = performance.now();
      const calls = await read(chunks);
      const seconds = (performance.now() - began) / 1000;
      if (seconds < (best.get(name)?.seconds ?? Infinity)) best.set(name, { name, seconds, calls });
    }
  }
  return [...best.values()];
}

/** What a reader does other than the matcher; empty if it finds the same calls. */
function difference(row: Row, own: Row): string {
  if (row.calls.length !== own.calls.length) {
    return `finds ${row.calls.length} calls instead of ${own.calls.length}`;
  }
  const isSame = isDeepStrictEqual(row.calls.map(parsed), own.calls.map(parsed));
  return isSame ? "" : "gives other arguments";
}

function parsed({ tool, json }: FoundCall): unknown {
  try {
    return [tool, JSON.parse(json)];
  } catch {
    return [tool, json];
  }
}

/** Prints what was measured; gives the lowest ratio of the parser's time to the matcher's. */
function print(corpus: Corpus, rows: readonly Row[], count: number): number {
  const own = rows[0]!;
  console.log(
    `\n${corpus.name} (${
      Math.round(corpus.text.length / 1000)
    } kB in ${count} pieces, ${own.calls.length} calls)\n`,
  );
  console.log("| reader | MB/s | ns a piece | times the matcher's time | |\n|---|---|---|---|---|");
  for (const row of rows) {
    const speed = (corpus.text.length / 1e6 / row.seconds).toFixed(2);
    const each = Math.round(row.seconds / count * 1e9);
    const note = row.name === IDENTITY ? "looks at nothing" : difference(row, own);
    console.log(`| ${row.name} | ${speed} | ${each} | ${(row.seconds / own.seconds).toFixed(1)} | ${note} |`);
  }
  const peers = rows.filter((row) => row.name.startsWith("parser"));
  return Math.min(...peers.map((row) => row.seconds / own.seconds));
}

const { program, diagnostics } = await loadRules({
  folders: [],
  settings: { enable: [], disable: [], confidence: {}, minimumConfidence: 0.9, locate: () => undefined },
  workingDirectory: Deno.cwd(),
});
if (diagnostics.some(({ severity }) => severity === "error")) {
  throw new Error("The shipped rules have errors");
}

const { imports } = (await import("../deno.json", { with: { type: "json" } })).default;
const { cpus, loadavg } = await import("node:os");
console.log(`peer: ${imports["@ai-sdk-tool/parser"]}; Deno ${Deno.version.deno}; ${cpus().length} cores`);
console.log(`load at the start: ${loadavg()[0]!.toFixed(1)}`);

let lowest = { ratio: Infinity, name: "" };
const missed: string[] = [];
for (const corpus of corpora(LENGTH)) {
  const chunks = pieces(corpus.text);
  const readers = new Map<string, Reader>([["matcher, all shipped rules", matcher(program)]]);
  for (const peer of corpus.peers) readers.set(`parser, ${peer}`, parser(peer));
  readers.set(IDENTITY, identity);
  const ratio = print(corpus, await measure(chunks, readers), chunks.length);
  if (ratio < lowest.ratio) lowest = { ratio, name: corpus.name };
  if (ratio < corpus.atLeast) missed.push(`${corpus.name}: ${ratio.toFixed(1)} × (bound: ${corpus.atLeast})`);
}
console.log(
  `\nOn every text the parser takes at least ${
    lowest.ratio.toFixed(1)
  } × the matcher's time (${lowest.name}).`,
);
for (const bound of missed) console.log(`Below its bound: ${bound}`);
if (missed.length > 0) Deno.exit(1);
