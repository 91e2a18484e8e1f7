/**
 * How fast the packed library reads, next to the nearest parser: the same pieces, and how many calls each finds. It counts the
 * process's own time, because other programs use the machine, too.
 */
import { hermesProtocol, morphXmlProtocol, qwen3CoderProtocol } from "@ai-sdk-tool/parser";
import { createReader } from "dragoman-engine";
import { shippedRules } from "dragoman-engine/rules";
import { corpora, pieces } from "./corpus.js";

const ROUNDS = 15;
const WARM_UP_MS = 500;
const PARAMETERS = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
  required: ["path", "content"],
};
const PROTOCOLS = { hermes: hermesProtocol, qwen3coder: qwen3CoderProtocol, "morph-xml": morphXmlProtocol };

function library(chunks) {
  const reader = createReader({
    rules: shippedRules,
    tools: [{ name: "write_file", parameters: PARAMETERS }],
  });
  let calls = 0;
  const count = (events) => {
    for (const { kind } of events) if (kind === "call_end") calls++;
  };
  for (const chunk of chunks) count(reader.push(chunk));
  count(reader.end());
  return calls;
}

async function parser(name, chunks) {
  const tools = [{ type: "function", name: "write_file", inputSchema: PARAMETERS }];
  const stream = PROTOCOLS[name]().createStreamParser({ tools });
  let calls = 0;
  const parts = ReadableStream.from(chunks.map((delta) => ({ type: "text-delta", id: "1", delta })));
  for await (const { type } of parts.pipeThrough(stream)) if (type === "tool-call") calls++;
  return calls;
}

/** The processor time of this process, in milliseconds. */
function ownTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const rows = [];
for (const { name, text, peers } of corpora(100_000)) {
  const chunks = pieces(text);
  const readers = { dragoman: () => library(chunks) };
  for (const peer of peers) readers[`parser, ${peer}`] = () => parser(peer, chunks);
  const best = {};
  for (const read of Object.values(readers)) {
    for (const until = ownTime() + WARM_UP_MS; ownTime() < until;) {
      await read();
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [reader, read] of Object.entries(readers)) {
      const began = ownTime();
      const calls = await read();
      const ms = ownTime() - began;
      if (!(best[reader]?.ms <= ms)) best[reader] = { ms, calls };
    }
  }
  rows.push({ text: name, characters: text.length, readers: best });
}
console.log(JSON.stringify(rows));
