/**
 * Counts the bytes of a body as they are read: what its head states can be missing, or be the length of the compressed
 * body.
 *
 *     client ─▶ bytes ─▶ the same bytes
 *                 ╰──▶ decoded, counted, dropped
 *
 * @module
 */
import { canDecode, decode } from "./encoding.ts";

interface BodyCounting {
  /** The codings of the body, in the order in which they were applied. */
  readonly codings: readonly string[];
  /** A body is decoded up to this many bytes. */
  readonly bytesMax: number;
  /** Receives the number of bytes so far: decoded, unless the body has more than that. */
  readonly count: (bytes: number) => void;
}

/** The same body, read only as fast as its reader does. */
export function countedBody(
  body: ReadableStream<Uint8Array>,
  { codings, bytesMax, count }: BodyCounting,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let raw = 0;
  let decoded = 0;
  const counted = () => count(Math.max(raw, decoded));
  const decoder = codings.length > 0 && canDecode(codings)
    ? openDecoder(codings, (bytes) => {
      decoded += bytes;
      counted();
      return decoded < bytesMax;
    })
    : undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) {
        await decoder?.end();
        return controller.close();
      }
      raw += value.length;
      counted();
      await decoder?.push(value);
      controller.enqueue(value);
    },
    async cancel(reason) {
      await decoder?.end();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

interface Decoder {
  /** Resolves when the bytes are decoded as far as they can be, or can't be. */
  push(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** Decodes bytes only to count them; `take` states whether it wants more. */
function openDecoder(codings: readonly string[], take: (bytes: number) => boolean): Decoder {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const read = async () => {
    for await (const { length } of decode(readable, codings)) if (!take(length)) return;
  };
  // A body that isn't what its coding states counts as the bytes that it has.
  const over = read().catch(() => {});
  const unlessOver = (writing: Promise<void>) => Promise.race([writing.catch(() => {}), over]);
  return {
    push: (bytes) => unlessOver(writer.write(bytes.slice())),
    async end() {
      await unlessOver(writer.close());
      await over;
    },
  };
}
