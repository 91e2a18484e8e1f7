import assert from "node:assert/strict";
import { Pump } from "../../../src/proxy/transport/pump.ts";
import { NotingSink } from "../../support/noting_sink.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A byte stream that the test writes. */
function openBody(type?: "bytes") {
  let controller: ReadableStreamDefaultController<Uint8Array> | ReadableByteStreamController | undefined;
  const start = (started: typeof controller) => void (controller = started);
  const body: ReadableStream<Uint8Array> = type === "bytes"
    ? new ReadableStream({ type, start })
    : new ReadableStream<Uint8Array>({ start });
  return {
    body,
    write: (text: string) => controller?.enqueue(bytesOf(text)),
    close: () => controller?.close(),
  };
}

/** Lets bursts end. */
const turn = () => new Promise((resolve) => setTimeout(resolve, 20));

Deno.test("Pump pushes nothing after it is canceled, not even a burst that waits", async () => {
  const { body, write } = openBody();
  const sink = new NotingSink();
  const pump = new Pump(body, sink);
  write("a");
  pump.resume();
  await Promise.resolve();
  pump.cancel();
  await turn();
  assert.deepEqual(sink.seen, []);
});
