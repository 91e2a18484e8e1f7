/**
 * Reads a web stream and pushes its bytes. Bytes that arrive faster than they are translated are gathered, so that a
 * burst of events costs one pass through the pipeline and one write to the client:
 *
 *     slow upstream   ──a──────b──────c──▶   a, b, c      each piece leaves at once
 *     fast upstream   ──abcdefg──────────▶   a, bcdefg    a piece waits one turn of the event loop for the next
 *
 * @module
 */
import { setImmediate } from "node:timers";
import { type BodyFlow, type BodySink, FlowStream } from "./push_body.ts";

/** The most bytes that are read at once, and that are gathered. */
const BUFFER_BYTES = 16 * 1024;

/** The longest read that belongs to a burst, in milliseconds. */
const BURST_MS = 1;

type Read = { readonly done: boolean; readonly value?: Uint8Array | undefined };
type Failure = { readonly cause: unknown };

/** Reads a stream, if possible into its own buffer, because an ordinary read allocates 64 KiB. */
type Reader = ReadableStreamBYOBReader | ReadableStreamDefaultReader<Uint8Array>;

/**
 *     waiting ──▶ reading ──▶ gathering ──▶ waiting | reading | over
 *
 * - waiting: the sink wants nothing
 * - gathering: bytes of a burst wait for the next turn, and the next read runs or has ended
 */
export class Pump implements BodyFlow {
  readonly #reader: Reader;
  readonly #sink: BodySink;
  readonly #onRead = (read: Read) => this.#receive(read);
  readonly #onBufferRead = (read: ReadableStreamReadResult<Uint8Array<ArrayBuffer>>) => {
    if (read.value !== undefined) this.#buffer = read.value.buffer;
    this.#receive(read);
  };
  readonly #onFail = (cause: unknown) => this.#receive({ cause });
  readonly #onTurn = () => this.#endTurn();
  #isWanted = false;
  #isReading = false;
  #isGathering = false;
  #isOver = false;
  #askedAt = 0;
  /** The buffer of the next read. It contains the bytes of the last one until then. */
  #buffer = new ArrayBuffer(BUFFER_BYTES);
  #gathered: Uint8Array | undefined;
  #length = 0;
  /** Its length at the end of the turn before. */
  #lengthBefore = 0;
  /** What followed the gathered bytes: bytes that didn't fit, the end, or an error. */
  #next: Read | Failure | undefined;

  constructor(body: ReadableStream<Uint8Array>, sink: BodySink) {
    this.#reader = openReader(body);
    this.#sink = sink;
  }

  resume(): void {
    this.#isWanted = true;
    this.#proceed();
  }

  cancel(): void {
    this.#isOver = true;
    this.#reader.cancel().catch(() => {});
  }

  /** Pushes what has arrived, or reads on. `now` is a moment ago: each look at the clock counts for many small events. */
  #proceed(now?: number): void {
    if (this.#isOver || this.#isReading || this.#isGathering || !this.#isWanted) return;
    const next = this.#next;
    if (next === undefined) return this.#ask(now);
    this.#next = undefined;
    this.#give(next);
  }

  #ask(now = performance.now()): void {
    this.#isReading = true;
    this.#askedAt = now;
    if (this.#reader instanceof ReadableStreamBYOBReader) {
      this.#reader.read(new Uint8Array(this.#buffer)).then(this.#onBufferRead, this.#onFail);
    } else this.#reader.read().then(this.#onRead, this.#onFail);
  }

  #receive(read: Read | Failure): void {
    this.#isReading = false;
    if (this.#isOver) return;
    if (this.#isGathering) return this.#gather(read);
    // A read that began in a burst can end after it, when the sink wants nothing.
    if (!this.#isWanted) return void (this.#next = read);
    const now = performance.now();
    const isBurst = now - this.#askedAt <= BURST_MS;
    if (!isBurst || !hasBytes(read) || read.value.length >= BUFFER_BYTES) return this.#give(read, now);
    this.#isGathering = true;
    this.#gather(read);
    this.#lengthBefore = this.#length;
    nextTurn(this.#onTurn);
  }

  /** Adds bytes to those of the burst, and reads on while there is room. */
  #gather(read: Read | Failure): void {
    const gathered = this.#gathered ??= new Uint8Array(2 * BUFFER_BYTES);
    if (!hasBytes(read) || read.value.length > gathered.length - this.#length) {
      this.#next = read;
      return;
    }
    gathered.set(read.value, this.#length);
    this.#length += read.value.length;
    if (this.#length <= BUFFER_BYTES) this.#ask();
  }

  /** Pushes the burst, unless more of it arrived in this turn and there is still room. */
  #endTurn(): void {
    const hasGrown = this.#length > this.#lengthBefore;
    if (hasGrown && this.#isReading) {
      this.#lengthBefore = this.#length;
      return nextTurn(this.#onTurn);
    }
    this.#isGathering = false;
    if (this.#isOver || this.#gathered === undefined) return;
    const bytes = this.#gathered.subarray(0, this.#length);
    this.#length = 0;
    this.#push(bytes);
  }

  #give(read: Read | Failure, now?: number): void {
    if (hasBytes(read)) return this.#push(read.value, now);
    this.#isOver = true;
    if ("cause" in read) this.#sink.fail(read.cause);
    else this.#sink.end();
  }

  #push(bytes: Uint8Array, now?: number): void {
    // The sink can ask for more before `push` returns; until then, its bytes stay valid.
    const isReading = this.#isReading;
    this.#isReading = true;
    this.#isWanted = false;
    if (this.#sink.push(bytes)) this.#isWanted = true;
    this.#isReading = isReading;
    this.#proceed(now);
  }
}

/** Connects any stream to a sink, directly if it is a flow. */
export function openFlow(body: ReadableStream<Uint8Array>, sink: BodySink): BodyFlow {
  return body instanceof FlowStream ? body.flow(sink) : new Pump(body, sink);
}

function hasBytes(read: Read | Failure): read is Read & { readonly value: Uint8Array } {
  return "done" in read && !read.done && read.value !== undefined;
}

function openReader(body: ReadableStream<Uint8Array>): Reader {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return body.getReader();
  }
}

let waiting: (() => void)[] = [];

/**
 * Calls back after the event loop has polled for bytes. That takes two rounds of immediate callbacks, because the first
 * can run before the poll. All waiting bursts share one turn.
 */
function nextTurn(callback: () => void): void {
  if (waiting.push(callback) > 1) return;
  setImmediate(() =>
    setImmediate(() => {
      const callbacks = waiting;
      waiting = [];
      for (const each of callbacks) each();
    })
  );
}
