/**
 * Keeps the client's connection alive while there is nothing to send: before the upstream answers, while the model is
 * silent, and while a call is held.
 *
 *     upstream   ..................status 200  "I'll"   <tool_call>…………………………</tool_call>
 *     client     begin  ping  ping             "I'll"            ping      ping      the call
 *
 * @module
 */
import { type BodyFlow, type BodySink, FlowStream, type Piece } from "../transport/push_body.ts";
import { openFlow } from "../transport/pump.ts";

interface KeepAliveOptions {
  /** The first bytes; can be empty. */
  readonly begin: Uint8Array;
  /** What keeps the connection alive now, between two pieces of the stream; empty: nothing can be sent yet. */
  readonly beat: () => Uint8Array;
  /** How long a client waits for a byte before it gets one, in milliseconds; 0: however long it takes. */
  readonly everyMs: number;
  /** The client left before the end. */
  readonly left?: (() => void) | undefined;
}

/** The client's stream; a body that is promised follows as soon as the upstream answers. */
export function keepAlive(
  body: ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>,
  options: KeepAliveOptions,
): FlowStream {
  return new FlowStream((client) => new KeptAlive(body, { ...options, client }));
}

/** How often a wait is looked at. A beat comes after this many ticks, so at the latest after the whole time. */
const TICKS = 3;

/** A piece that waits because the client, which got a beat meanwhile, doesn't want more yet. */
class KeptAlive implements BodyFlow, BodySink {
  readonly #client: BodySink;
  readonly #timer: ReturnType<typeof setInterval> | undefined;
  readonly #left: KeepAliveOptions["left"];
  #body: BodyFlow | undefined;
  #waiting: Piece | undefined;
  /** How the stream ends, once the client wants to know. */
  #end: (() => void) | undefined;
  #isWanted = false;
  /** How many ticks passed since anything was sent: counting them costs a piece less than a look at the clock. */
  #ticks = 0;
  #isOver = false;

  constructor(
    body: ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>,
    { client, begin, beat, everyMs, left }: KeepAliveOptions & { readonly client: BodySink },
  ) {
    this.#left = left;
    this.#client = client;
    this.#waiting = begin.length > 0 ? begin : undefined;
    if (body instanceof ReadableStream) this.#body = openFlow(body, this);
    else body.then((opened) => this.#open(opened), (cause) => this.fail(cause));
    this.#timer = everyMs === 0 ? undefined : setInterval(() => this.#tick(beat), everyMs / TICKS);
  }

  resume(): void {
    this.#isWanted = true;
    this.#proceed();
  }

  cancel(): void {
    if (!this.#isOver) this.#left?.();
    this.#stop();
    this.#body?.cancel();
  }

  push(piece: Piece): boolean {
    if (this.#isWanted) return this.#send(piece);
    this.#waiting = piece;
    return false;
  }

  end(): void {
    this.#finish(() => this.#client.end());
  }

  fail(cause: unknown): void {
    this.#finish(() => this.#client.fail(cause));
  }

  #open(body: ReadableStream<Uint8Array>): void {
    if (this.#isOver) return void body.cancel().catch(() => {});
    this.#body = openFlow(body, this);
    if (this.#isWanted) this.#proceed();
  }

  #proceed(): void {
    if (this.#isOver) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined && !this.#send(waiting) || this.#isOver) return;
    if (this.#end === undefined) return this.#body?.resume();
    this.#stop();
    this.#end();
  }

  /** Sends a piece; true: the client wants more. */
  #send(piece: Piece): boolean {
    // The client can ask for more before `push` returns.
    this.#isWanted = false;
    this.#ticks = 0;
    if (this.#client.push(piece)) this.#isWanted = true;
    return this.#isWanted;
  }

  /** A client that reads slowly still has bytes to read, and one that just got some isn't waiting. */
  #tick(beat: () => Uint8Array): void {
    // The first tick can follow a piece at once, so a beat comes a tick early rather than late.
    if (!this.#isWanted || ++this.#ticks < TICKS) return;
    const bytes = beat();
    if (bytes.length > 0) this.#send(bytes);
  }

  #finish(end: () => void): void {
    if (this.#isOver) return;
    this.#end = end;
    if (this.#isWanted) this.#proceed();
  }

  #stop(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }
}
