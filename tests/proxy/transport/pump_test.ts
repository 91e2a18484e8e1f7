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

for (const type of ["bytes", undefined] as const) {
  Deno.test(`Pump pushes the pieces of a burst together, and its end after it (${type ?? "plain"})`, async () => {
    // On a busy machine, a read can last longer than one of a burst.
    for (let attempt = 0, seen: readonly string[] = []; seen[0] !== "abc"; attempt++) {
      assert.ok(attempt < 20, `${seen}`);
      const { body, write, close } = openBody(type);
      const sink = new NotingSink();
      const pump = new Pump(body, sink);
      for (const piece of ["a", "b", "c"]) write(piece);
      close();
      pump.resume();
      await sink.over;
      seen = sink.seen;
      assert.equal(seen.join(), seen[0] === "abc" ? "abc,end" : "a,bc,end");
    }
  });

  Deno.test(`Pump keeps what arrives while the sink wants nothing (${type ?? "plain"})`, async () => {
    const { body, write, close } = openBody(type);
    const sink = new NotingSink();
    sink.wants = false;
    const pump = new Pump(body, sink);
    write("a");
    pump.resume();
    // The read that gathers goes on after the burst.
    await sink.first;
    write("b");
    await turn();
    assert.deepEqual(sink.seen, ["a"]);
    pump.resume();
    close();
    await turn();
    assert.deepEqual(sink.seen, ["a", "b"]);
    pump.resume();
    await turn();
    assert.deepEqual(sink.seen, ["a", "b", "end"]);
  });
}

Deno.test("Pump pushes pieces that do not fit a burst after it, in order", async () => {
  const { body, write, close } = openBody();
  const sink = new NotingSink();
  const long = "x".repeat(100_000);
  for (const piece of ["a", long, "b", long]) write(piece);
  close();
  new Pump(body, sink).resume();
  await sink.over;
  assert.equal(sink.seen.slice(0, -1).join(""), `a${long}b${long}`);
});

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
