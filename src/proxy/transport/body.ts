/** Reads bodies, whole or from their start, never beyond a limit. @module */

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
    pieces.push(value);
  }
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
      pieces.push(read.value);
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

function concatenate(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
