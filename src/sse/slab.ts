/**
 * Bytes for a client, cut from large buffers: allocating a buffer costs more than filling it. A buffer is never written
 * to twice, so whoever holds a piece can keep it.
 *
 * @module
 */

/** How many bytes are allocated at once; a slow client pins no more than that. */
const SLAB_BYTES = 16 * 1024;

/** A text becomes at most this many bytes for each UTF-16 unit. */
const BYTES_PER_UNIT = 3;

const ENCODER = new TextEncoder();
let slab = new Uint8Array(SLAB_BYTES);
let used = 0;

/** A copy of bytes. */
export function copyBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (!makeRoom(bytes.length)) return new Uint8Array(bytes);
  slab.set(bytes, used);
  return take(bytes.length);
}

/** The bytes of a text. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  if (!makeRoom(text.length * BYTES_PER_UNIT)) return ENCODER.encode(text);
  return take(ENCODER.encodeInto(text, slab.subarray(used)).written);
}

function makeRoom(bytes: number): boolean {
  if (bytes > SLAB_BYTES / 4) return false;
  if (used + bytes > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES);
    used = 0;
  }
  return true;
}

function take(bytes: number): Uint8Array<ArrayBuffer> {
  const piece = slab.subarray(used, used + bytes);
  used += bytes;
  return piece;
}
