import assert from "node:assert/strict";
import { keepAlive } from "../../../src/proxy/exchange/keep_alive.ts";
import {
  type BodyFlow,
  type BodySink,
  FlowStream,
  type Piece,
} from "../../../src/proxy/transport/push_body.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (piece: Piece | undefined) =>
  typeof piece === "string" ? piece : new TextDecoder().decode(piece);
const OPTIONS = { begin: bytesOf("begin "), beat: () => bytesOf("beat "), everyMs: 5 };

/** A client that takes one piece each time it is asked to. */
class Client implements BodySink {
  text = "";
  state: "open" | "ended" | "failed" = "open";
  readonly flow: BodyFlow;

  constructor(stream: FlowStream) {
    this.flow = stream.flow(this);
  }

  push(piece: Piece): boolean {
    this.text += textOf(piece);
    return false;
  }

  end(): void {
    this.state = "ended";
  }

  fail(): void {
    this.state = "failed";
  }

  /** Wants more until it has a text. */
  async until(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.text) && this.state === "open") {
      this.flow.resume();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.match(this.text, pattern);
  }
}

/** A body whose sink the test drives. */
function driven() {
  let sink: BodySink | undefined;
  const seen = { resumed: 0, canceled: 0 };
  const body = new FlowStream((given) => {
    sink = given;
    return { resume: () => void seen.resumed++, cancel: () => void seen.canceled++ };
  });
  return { body, seen, sink: () => sink! };
}

Deno.test("keepAlive begins at once, and beats until the upstream answers and while it is silent", async () => {
  const answer = Promise.withResolvers<ReadableStream<Uint8Array>>();
  const client = new Client(keepAlive(answer.promise, OPTIONS));
  await client.until(/^begin beat beat /);
  const { body, sink, seen } = driven();
  answer.resolve(body);
  await client.until(/^begin beat beat beat /);
  client.flow.resume();
  assert.ok(seen.resumed > 0);
  sink().push(bytesOf("text"));
  await client.until(/text(?:beat )+$/);
  sink().end();
  client.flow.resume();
  assert.equal(client.state, "ended");
});

Deno.test("keepAlive holds what arrives while a slow client still has a beat to take, and its end", () => {
  const { body, sink } = driven();
  const client = new Client(keepAlive(body, { ...OPTIONS, everyMs: 1e6 }));
  client.flow.resume();
  assert.equal(sink().push(bytesOf("a")), false);
  sink().end();
  assert.deepEqual([client.text, client.state], ["begin ", "open"]);
  client.flow.resume();
  assert.deepEqual([client.text, client.state], ["begin a", "open"]);
  client.flow.resume();
  assert.equal(client.state, "ended");
});

Deno.test("keepAlive fails as the stream does, also before the upstream answers", async () => {
  const client = new Client(keepAlive(Promise.reject(new Error("gone")), OPTIONS));
  client.flow.resume();
  while (client.state === "open") {
    client.flow.resume();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.equal(client.state, "failed");
});

Deno.test("keepAlive cancels an answer that comes after its client left, and beats no more", async () => {
  const answer = Promise.withResolvers<ReadableStream<Uint8Array>>();
  let left = 0;
  const client = new Client(keepAlive(answer.promise, { ...OPTIONS, left: () => void left++ }));
  await client.until(/beat /);
  client.flow.cancel();
  client.flow.cancel();
  const { text } = client;
  const canceled = Promise.withResolvers<void>();
  answer.resolve(new ReadableStream({ cancel: () => canceled.resolve() }));
  await canceled.promise;
  client.flow.resume();
  await new Promise((resolve) => setTimeout(resolve, 15));
  assert.deepEqual([client.text, left], [text, 1]);
});
