import assert from "node:assert/strict";
import { openSource, type Source } from "../../../src/proxy/transport/source.ts";

type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | ReadableByteStreamController;

interface Pieces {
  readonly pull: (controller: Controller) => Promise<void> | void;
}

const BODIES: Readonly<Record<string, (pieces: Pieces) => ReadableStream<Uint8Array>>> = {
  "a byte stream": (pieces) => new ReadableStream({ type: "bytes", ...pieces }, { highWaterMark: 0 }),
  "a stream of pieces": (pieces) => new ReadableStream(pieces, { highWaterMark: 0 }),
};

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

async function readText(source: Source): Promise<string | undefined> {
  const bytes = await source.read();
  return bytes && new TextDecoder().decode(bytes);
}

/** Long enough to be no burst. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

for (const [name, bodyOf] of Object.entries(BODIES)) {
  Deno.test(`openSource reads pieces of ${name} together when they arrive together`, async () => {
    let left = 1000;
    const source = openSource(bodyOf({
      pull(controller) {
        if (left-- > 0) return controller.enqueue(bytesOf("a"));
        controller.close();
        if ("byobRequest" in controller) controller.byobRequest?.respond(0);
      },
    }));
    let read = "";
    let reads = 0;
    for (let text = await readText(source); text !== undefined; text = await readText(source)) {
      read += text;
      reads++;
    }
    assert.equal(read, "a".repeat(1000));
    assert.ok(reads < 500, `${reads} reads for 1,000 pieces`);
  });

  Deno.test(`openSource gives each piece of ${name} at once when they arrive one by one`, async () => {
    const pieces = ["a", "b"];
    const source = openSource(bodyOf({
      async pull(controller) {
        await pause();
        controller.enqueue(bytesOf(pieces.shift() ?? "later"));
      },
    }));
    assert.equal(await readText(source), "a");
    assert.equal(await readText(source), "b");
    await source.cancel();
  });

  Deno.test(`openSource gives what arrived from ${name} before it says that the body broke`, async () => {
    const pieces = ["a", "b"];
    const source = openSource(bodyOf({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.error(new Error("reset"));
        else controller.enqueue(bytesOf(piece));
      },
    }));
    let read = "";
    while (read.length < 2) read += await readText(source);
    assert.equal(read, "ab");
    await assert.rejects(source.read(), { message: "reset" });
  });

  Deno.test(`openSource reads only so far ahead in ${name}, and loses nothing at the limit`, async () => {
    const piece = "0123456789".repeat(500);
    let given = 0;
    const source = openSource(
      bodyOf({ pull: (controller) => (given++, controller.enqueue(bytesOf(piece))) }),
    );
    let read = "";
    for (let round = 0; round < 10; round++) read += await readText(source);
    assert.equal(read, piece.repeat(read.length / piece.length));
    assert.ok(
      given * piece.length <= read.length + 64 * 1024,
      `${given} pieces were read for ${read.length}`,
    );
    await source.cancel();
  });
}
