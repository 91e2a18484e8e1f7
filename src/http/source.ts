/**
 * Reads an upstream's body. Bytes that arrive faster than they are translated are gathered, so that a burst of events
 * costs one pass through the pipeline and one write to the client instead of one each:
 *
 *     slow upstream   ──a──────b──────c──▶   a, b, c      each piece leaves at once
 *     fast upstream   ──abcdefg──────────▶   a, bcdefg    a piece waits one turn of the event loop for the next
 *
 * @module
 */
import { setImmediate } from "node:timers";

/** How many bytes are read at once at most, and how many are gathered. */
const BUFFER_BYTES = 16 * 1024;

/** A read that takes no longer than this, in milliseconds, belongs to a burst. */
const BURST_MS = 1;

/** Gives the next bytes, undefined at the end; rejects when the body breaks. The bytes are valid until the next call. */
export interface Source {
  read(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
}

/** The result of one read of the body. */
type Read = { readonly bytes: Uint8Array | undefined } | { readonly error: unknown };

/** Reads a body; where it allows that, into buffers of our own, since an ordinary read allocates 64 KiB. */
export function openSource(body: ReadableStream<Uint8Array>): Source {
  try {
    return new GatheringSource(bufferedRead(body.getReader({ mode: "byob" })));
  } catch {
    const reader = body.getReader();
    return new GatheringSource({
      read: async () => (await reader.read()).value,
      cancel: () => reader.cancel(),
    });
  }
}

/** Reads into two buffers in turns: the bytes of a read stay valid while the next one runs. */
function bufferedRead(reader: ReadableStreamBYOBReader): Source {
  let buffer = new ArrayBuffer(BUFFER_BYTES);
  let other: ArrayBuffer | undefined;
  return {
    async read() {
      const into = buffer;
      buffer = other ?? new ArrayBuffer(BUFFER_BYTES);
      const { done, value } = await reader.read(new Uint8Array(into));
      if (value !== undefined) other = value.buffer;
      return done ? undefined : value;
    },
    cancel: () => reader.cancel(),
  };
}

class GatheringSource implements Source {
  readonly #source: Source;
  /** The read that runs or has an unread result. */
  #pending: Promise<Read> | undefined;
  #result: Read | undefined;
  #gathered: Uint8Array | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  async read(): Promise<Uint8Array | undefined> {
    const began = performance.now();
    const bytes = this.#take(await (this.#pending ?? this.#ask()));
    const isBurst = performance.now() - began <= BURST_MS;
    if (!isBurst || bytes === undefined || bytes.length >= BUFFER_BYTES) return bytes;
    return await this.#gather(bytes);
  }

  cancel(): Promise<void> {
    return this.#source.cancel();
  }

  /** Adds what arrives within a turn of the event loop, and again, until nothing does or the buffer is full. */
  async #gather(first: Uint8Array): Promise<Uint8Array> {
    const gathered = this.#gathered ??= new Uint8Array(2 * BUFFER_BYTES);
    gathered.set(first);
    let length = first.length;
    while (length <= BUFFER_BYTES) {
      this.#pending = this.#ask();
      await nextTurn();
      const result: Read | undefined = this.#result;
      // All but bytes that fit wait for the next read: the end, an error, and what has not arrived.
      const bytes = result !== undefined && "bytes" in result ? result.bytes : undefined;
      if (bytes === undefined || bytes.length > gathered.length - length) break;
      gathered.set(bytes, length);
      length += bytes.length;
      this.#pending = undefined;
    }
    return gathered.subarray(0, length);
  }

  #ask(): Promise<Read> {
    this.#result = undefined;
    const settle = (result: Read) => this.#result = result;
    return this.#source.read().then((bytes) => settle({ bytes }), (error: unknown) => settle({ error }));
  }

  #take(result: Read): Uint8Array | undefined {
    this.#pending = undefined;
    this.#result = undefined;
    if ("error" in result) throw result.error;
    return result.bytes;
  }
}

let turn: Promise<void> | undefined;

/**
 * Resolves after the event loop has looked for bytes that arrived: after two rounds of immediate callbacks, since the
 * first may come before that. All streams that wait share one turn.
 */
function nextTurn(): Promise<void> {
  return turn ??= new Promise((resolve) => {
    setImmediate(() =>
      setImmediate(() => {
        turn = undefined;
        resolve();
      })
    );
  });
}
