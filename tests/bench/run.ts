/**
 * How fast the matcher is, next to the nearest TypeScript parser and one identity stream, all in this run.
 *
 *     deno task bench
 *
 * Each text comes in pieces of 4 to 20 characters; each reader is warmed up, then the best of several rounds
 * counts, taken in turns so that a noisy machine is noisy for all. The number to beat: 10 times the parser.
 *
 * @module
 */
import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from "@ai-sdk-tool/parser";
import { loadRules } from "../../src/engine/rule/load.ts";
import { type Sink, textAnswer } from "../../src/engine/event/stage.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";
import type { Program } from "../../src/engine/scan/program.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { corpora, type Corpus, pieces } from "./corpus.ts";

/** How long each reader is warmed up, and then how many rounds are measured. */
const WARM_UP_MS = 700;
const ROUNDS = 7;
const LENGTH = 100_000;
const RATIO_WANTED = 10;

const PARAMETERS = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
  required: ["path", "content"],
};
const OFFERED = offer([{ name: "write_file", schema: PARAMETERS }]);
const PROTOCOLS = {
  hermes: hermesProtocol,
  qwen3coder: qwen3CoderProtocol,
  "morph-xml": morphXmlProtocol,
};

/** Reads all pieces; gives how many calls it saw, so that no one wins by not looking. */
type Reader = (chunks: readonly string[]) => Promise<number>;

function matcher(program: Program): Reader {
  return (chunks) => {
    const options = { offered: OFFERED, minimumConfidence: 0.9, wholeCalls: false };
    const running = new Matcher(program, options);
    let calls = 0;
    const out: Sink = { push: (event) => void (event.kind === "call_end" && calls++) };
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
): Promise<number> {
  let calls = 0;
  for await (const part of ReadableStream.from(parts).pipeThrough(stream)) {
    if ((part as { type?: unknown }).type === "tool-call") calls++;
  }
  return calls;
}

interface Row {
  readonly name: string;
  readonly seconds: number;
  readonly calls: number;
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

function print(corpus: Corpus, rows: readonly Row[], count: number): number {
  const own = rows[0]!;
  const speed = (row: Row) => corpus.text.length / 1e6 / row.seconds;
  console.log(`\n${corpus.name} (${Math.round(corpus.text.length / 1000)} kB in ${count} pieces)`);
  for (const row of rows) {
    const ratio = row === own ? "" : `  ${(row.seconds / own.seconds).toFixed(1)} × slower than the matcher`;
    const each = `${Math.round(row.seconds / count * 1e9)} ns a piece`;
    console.log(
      `  ${row.name.padEnd(28)} ${speed(row).toFixed(2).padStart(8)} MB/s ${each.padStart(18)} ${
        String(row.calls).padStart(5)
      } calls${ratio}`,
    );
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

let worst = Infinity;
for (const corpus of corpora(LENGTH)) {
  const chunks = pieces(corpus.text);
  const readers = new Map<string, Reader>([["matcher, all shipped rules", matcher(program)]]);
  for (const peer of corpus.peers) readers.set(`parser, ${peer}`, parser(peer));
  readers.set("one identity TransformStream", identity);
  const ratio = print(corpus, await measure(chunks, readers), chunks.length);
  if (!corpus.isOnlyTold) worst = Math.min(worst, ratio);
}
console.log(
  `\nThe matcher is at least ${worst.toFixed(1)} × as fast as the parser; wanted: ${RATIO_WANTED}.`,
);
if (worst < RATIO_WANTED) Deno.exit(1);
