/**
 * Bodies, read whole and never past their limit.
 *
 * @module
 */

/**
 * All bytes of a body, or undefined where it is longer than the limit. The rest is then canceled.
 *
 * @param body the stream; null reads as empty
 * @param options `bytesMax`; `beforeRead` and `afterRead` are called around every wait
 * @throws what the stream throws when it breaks off
 */
export async function readWhole(
  body: ReadableStream<Uint8Array> | null,
  options: { readonly bytesMax: number; readonly beforeRead?: () => void; readonly afterRead?: () => void },
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

function concatenate(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}
