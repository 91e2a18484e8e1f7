/** Content codings. A body is decoded only as fast as it is read, so a small one can't fill the memory. @module */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** The codings of a body, in the order in which they were applied. */
export function codingsOf(headers: Headers): string[] {
  const named = (headers.get("content-encoding") ?? "").toLowerCase().split(",").map((name) => name.trim());
  return named.filter((name) => name !== "" && name !== "identity");
}

export function canDecode(codings: readonly string[]): boolean {
  return codings.every((coding) => Object.hasOwn(DECODERS, coding));
}

/** The body without its codings, for which `canDecode` has to be true. Fails if the bytes don't have these codings. */
export function decode(
  body: ReadableStream<Uint8Array>,
  codings: readonly string[],
): ReadableStream<Uint8Array> {
  return codings.toReversed().reduce((stream, coding) => {
    const create = DECODERS[coding];
    return create === undefined ? stream : through(stream, create());
  }, body);
}

/** The stream, decoded by Node, at most one piece ahead of its reader. */
function through(body: ReadableStream<Uint8Array>, decoder: Transform): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const feed = async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return void decoder.end();
      // The reader can reuse its buffer, but the decoder keeps the bytes.
      if (!decoder.write(Buffer.from(value))) await once(decoder, "drain");
    }
  };
  feed().catch((cause) => decoder.destroy(cause instanceof Error ? cause : new Error(String(cause))));
  const pieces = decoder[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    },
    async cancel(reason) {
      decoder.destroy();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
