/** Reads bodies, whole or from their start, never beyond a limit. @module */
import { type BodyFlow, FlowStream } from "./push_body.ts";
import { openFlow } from "./pump.ts";

export interface BodyReading {
  readonly bytesMax: number;
  readonly beforeRead?: () => void;
  readonly afterRead?: () => void;
}

/** All bytes of a body, or undefined if it is longer than the limit; the rest is then canceled. */
export async function readWhole(
  body: ReadableStream<Uint8Array> | null,
  options: BodyReading,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    options.beforeRead?.();
    const { done, value } = await reader.read();
    options.afterRead?.();
    if (done) return concatenate(pieces, length);
    length += value.length;
    if (length > options.bytesMax) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(compact(value));
  }
}

/** The same bytes to keep: a read allocates 64 KiB, however little arrives. */
export function compact<T extends ArrayBufferLike>(bytes: Uint8Array<T>): Uint8Array<T | ArrayBuffer> {
  return bytes.length * 2 < bytes.buffer.byteLength ? bytes.slice() : bytes;
}

interface BodyStart {
  /** Its bytes; undefined if the body is longer than the limit or broke off. */
  readonly whole: Uint8Array<ArrayBuffer> | undefined;
  /** The same body from its first byte. It fails where the body does. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Reads a body up to a limit and leaves the whole body readable. With `tee`, one half would wait for the other. */
export async function readStart(
  body: ReadableStream<Uint8Array>,
  { bytesMax, beforeRead, afterRead }: BodyReading,
): Promise<BodyStart> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let whole: Uint8Array<ArrayBuffer> | undefined;
  while (whole === undefined && length <= bytesMax) {
    beforeRead?.();
    const read = await reader.read().catch(() => undefined);
    afterRead?.();
    if (read === undefined) break;
    if (read.done) whole = concatenate(pieces, length);
    else {
      length += read.value.length;
      pieces.push(compact(read.value));
    }
  }
  return { whole, body: replay(pieces, reader) };
}

/** A body whose first pieces were read, from its beginning. */
export function replay(
  pieces: Uint8Array[],
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const value = pieces.shift() ?? (await reader.read()).value;
      if (value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

/**
 * The same for a body whose reader was released. What wasn't read costs no more than it would alone.
 *
 * @param rest undefined if the body was read to its end, because a read after the end doesn't have to return
 */
export function continued(pieces: Uint8Array[], rest: ReadableStream<Uint8Array> | undefined): FlowStream {
  return new FlowStream((sink) => {
    let flow: BodyFlow | undefined;
    let isWanted = false;
    let isPushing = false;
    let isOver = false;
    const openRest = () => {
      if (rest !== undefined) return flow ??= openFlow(rest, sink);
      if (!isOver) sink.end();
      isOver = true;
      return undefined;
    };
    return {
      resume() {
        isWanted = true;
        // The sink can ask for more before `push` returns.
        if (isPushing) return;
        isPushing = true;
        while (isWanted && pieces.length > 0) {
          isWanted = false;
          if (sink.push(pieces.shift()!)) isWanted = true;
        }
        isPushing = false;
        if (isWanted) openRest()?.resume();
      },
      cancel() {
        isOver = true;
        pieces.length = 0;
        if (rest !== undefined) openRest()?.cancel();
      },
    };
  });
}

function concatenate(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
