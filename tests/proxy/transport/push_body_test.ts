import assert from "node:assert/strict";
import {
  type BodyFlow,
  type BodySink,
  FlowStream,
  type Piece,
} from "../../../src/proxy/transport/push_body.ts";

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
