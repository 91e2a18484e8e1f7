import assert from "node:assert/strict";
import {
  type BodyFlow,
  type BodySink,
  FlowStream,
  type Piece,
} from "../../../src/proxy/transport/push_body.ts";
import { openFlow } from "../../../src/proxy/transport/pump.ts";
import { NotingSink } from "../../support/noting_sink.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (piece: Piece) => typeof piece === "string" ? piece : new TextDecoder().decode(piece);

/** A body of given pieces that notes what is asked of it. All pieces are pushed from one buffer. */
class ScriptedFlow implements BodyFlow {
  readonly calls: string[] = [];
  readonly #pieces: (string | Error)[];
  readonly #sink: BodySink;
  readonly #buffer = new Uint8Array(16);

  constructor(pieces: readonly (string | Error)[], sink: BodySink) {
    this.#pieces = [...pieces];
    this.#sink = sink;
  }

  resume(): void {
    this.calls.push("resume");
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece === undefined) return this.#sink.end();
      if (piece instanceof Error) return this.#sink.fail(piece);
      const { written } = new TextEncoder().encodeInto(piece, this.#buffer);
      if (!this.#sink.push(this.#buffer.subarray(0, written))) return;
    }
  }

  cancel(): void {
    this.calls.push("cancel");
  }
}

function scripted(...pieces: (string | Error)[]) {
  const opened: ScriptedFlow[] = [];
  const stream = new FlowStream((sink) => {
    const flow = new ScriptedFlow(pieces, sink);
    opened.push(flow);
    return flow;
  });
  return { stream, opened };
}

Deno.test("FlowStream is a web stream whose pieces do not share the flow's buffer", async () => {
  const { stream, opened } = scripted("one", "two", "three");
  const reader = stream.getReader();
  const reads = [reader.read(), reader.read(), reader.read(), reader.read()];
  const pieces = (await Promise.all(reads)).map(({ value }) => value && textOf(value));
  assert.deepEqual(pieces, ["one", "two", "three", undefined]);
  assert.equal(opened.length, 1);
});

Deno.test("FlowStream copies bytes of a node buffer, too", async () => {
  const { Buffer } = await import("node:buffer");
  const buffer = Buffer.alloc(1);
  let count = 0;
  const stream = new FlowStream((sink) => ({
    resume() {
      buffer[0] = 0x61 + count++;
      if (count > 3) sink.end();
      else sink.push(buffer);
    },
    cancel() {},
  }));
  assert.equal(await new Response(stream).text(), "abc");
});

Deno.test("FlowStream reads only as fast as it is read, and cancels the body", async () => {
  const { stream, opened } = scripted("one", "two");
  const reader = stream.getReader();
  assert.equal(opened.length, 0);
  await reader.read();
  assert.deepEqual(opened[0]?.calls, ["resume"]);
  await reader.cancel();
  assert.deepEqual(opened[0]?.calls, ["resume", "cancel"]);
});

Deno.test("FlowStream cancels a body that no one has read", async () => {
  const { stream, opened } = scripted("one");
  await stream.cancel();
  assert.deepEqual(opened[0]?.calls, ["cancel"]);
});

Deno.test("FlowStream breaks where its flow breaks", async () => {
  const { stream } = scripted("one", new Error("reset"));
  await assert.rejects(new Response(stream).text(), /reset/);
});

Deno.test("openFlow connects a flow that a response carries without a reader in between", () => {
  const { stream } = scripted("one", "two");
  const body = new Response(stream).body!;
  const sink = new NotingSink();
  const flow = openFlow(body, sink);
  assert.ok(body.locked);
  assert.deepEqual(sink.seen, []);
  flow.resume();
  assert.deepEqual(sink.seen, ["one", "two", "end"]);
});

Deno.test("openFlow pushes what any stream gives, its end, and why it broke", async () => {
  for (const last of ["end", "Error: reset"]) {
    const pieces = [bytesOf("one"), bytesOf("two")];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(piece);
        else if (last === "end") controller.close();
        else controller.error(new Error("reset"));
      },
    }, { highWaterMark: 0 });
    const sink = new NotingSink();
    openFlow(body, sink).resume();
    await sink.over;
    assert.deepEqual([sink.seen.slice(0, -1).join(""), sink.seen.at(-1)], ["onetwo", last]);
  }
});

Deno.test("openFlow waits for resume after a sink that wants no more, and gives nothing after cancel", async () => {
  let canceled = 0;
  let given = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytesOf(`${given++}`)),
    cancel: () => void canceled++,
  }, { highWaterMark: 0 });
  const arrived = Promise.withResolvers<void>();
  const seen: string[] = [];
  const flow = openFlow(body, {
    push(piece) {
      seen.push(textOf(piece));
      arrived.resolve();
      return false;
    },
    end() {},
    fail() {},
  });
  flow.resume();
  await arrived.promise;
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(seen.length, 1);
  flow.resume();
  flow.cancel();
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual([seen.length, canceled], [1, 1]);
});
