import assert from "node:assert/strict";
import { readMessageStream } from "../../support/anthropic_order.ts";
import { chunkMessage } from "../../support/chunks.ts";
import { type ChatStream, streamWire } from "../../../src/proxy/exchange/wire_stream.ts";
import { MessagesWriter } from "../../../src/wires/anthropic/writer.ts";
import type { WireChat } from "../../../src/wires/wire.ts";

const identity = { id: "1", created: 0 };
const chat: WireChat = {
  body: { stream: true },
  contentType: "text/event-stream",
  createWriter: (identity) => new MessagesWriter("m", identity),
  writeWhole: () => undefined,
};
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';
const ANSWER = chunkMessage({ content: "Hi" }) + chunkMessage({}, { finish: "stop" }) + "data: [DONE]\n\n";

function stream(chatStream: ChatStream | Promise<ChatStream>): ReadableStream<string> {
  const options = { chat, identity, bytesMax: 1000, keepAliveMs: 1 };
  const bytes = streamWire(chatStream, options) as ReadableStream<Uint8Array<ArrayBuffer>>;
  return bytes.pipeThrough(new TextDecoderStream(), { preventCancel: false });
}

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new Response(text).body!;
}

/** Reads until a ping comes; gives what came. */
async function readToPing(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let text = "";
  while (!text.includes(PING)) text += (await reader.read()).value ?? assert.fail("the stream ended");
  return text;
}

async function readRest(reader: ReadableStreamDefaultReader<string>): Promise<string> {
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  return text;
}

Deno.test("streamWire begins the answer and keeps it alive before the upstream answers", async () => {
  const upstream = Promise.withResolvers<ChatStream>();
  const reader = stream(upstream.promise).getReader();
  const before = await readToPing(reader);
  assert.match(before, /^event: message_start\n/);
  upstream.resolve(streamOf(ANSWER));
  const { blocks, stopReason, isWhole } = readMessageStream(before + await readRest(reader));
  assert.deepEqual([blocks[0]?.content, stopReason, isWhole], ["Hi", "end_turn", true]);
});

Deno.test("streamWire writes the error of an upstream that answers late", async () => {
  const upstream = Promise.withResolvers<ChatStream>();
  const reader = stream(upstream.promise).getReader();
  const before = await readToPing(reader);
  upstream.resolve({
    status: 500,
    type: "upstream_error",
    code: "upstream_status",
    message: "out of memory",
  });
  const { error, isWhole } = readMessageStream(before + await readRest(reader));
  assert.deepEqual([error, isWhole], ["out of memory", false]);
});

Deno.test("streamWire breaks if the upstream cannot be reached, so that the client asks again", async () => {
  const error = { status: 502, type: "upstream_error", code: "upstream_unreachable", message: "gone" };
  const reader = stream(error).getReader();
  await assert.rejects(readRest(reader), /broke off/);
});

Deno.test("streamWire cancels an answer that comes after its client left", async () => {
  const upstream = Promise.withResolvers<ChatStream>();
  const canceled = Promise.withResolvers<void>();
  const reader = stream(upstream.promise).getReader();
  await readToPing(reader);
  await reader.cancel();
  upstream.resolve(new ReadableStream({ cancel: () => canceled.resolve() }));
  await canceled.promise;
});

Deno.test("streamWire reads the chat's stream to its end, so that no one takes a client with a whole answer for one that left", async () => {
  const ended: string[] = [];
  const parts = [ANSWER, ""];
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift();
      if (part !== "") return controller.enqueue(new TextEncoder().encode(part));
      controller.close();
      ended.push("closed");
    },
    cancel: () => void ended.push("canceled"),
  }, { highWaterMark: 0 });
  assert.match(await readRest(stream(source).getReader()), /event: message_stop\n/);
  assert.deepEqual(ended, ["closed"]);
});
