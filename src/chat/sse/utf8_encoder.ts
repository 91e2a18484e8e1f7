/** Bytes for a client, cut from large buffers, which cost less to allocate. No byte is written twice. @module */

/** The size of a buffer. A slow client keeps no more than this in memory for one piece. */
const SLAB_BYTES = 16 * 1024;

/** The most UTF-8 bytes for one UTF-16 unit. */
const BYTES_PER_UNIT = 3;

const ENCODER = new TextEncoder();
let slab = new Uint8Array(SLAB_BYTES);
let used = 0;

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
