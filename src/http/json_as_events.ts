/**
 * Servers that are asked for a stream and send JSON under `text/event-stream`. The head of the response has left when
 * that shows, so the JSON becomes the only event of the stream, and is translated like any other.
 *
 * @module
 */
import { errorBody } from "../chat/error.ts";
import { singleChunk } from "../chat/single_chunk.ts";
import { DONE, encodeMessage } from "../sse/encode.ts";
import { readWhole } from "./body.ts";
import type { HttpError } from "./respond.ts";
import { LOOK_BYTES_MAX, shapeOf } from "./shape.ts";
import type { Source } from "./source.ts";

/** How long such JSON may be, and what the client gets for longer JSON. */
export interface JsonLimit {
  readonly bytesMax: number;
  readonly tooLarge: HttpError;
}

/** The same source; if its first bytes are those of JSON, a source of events instead. */
export function jsonAsEvents(source: Source, limit: JsonLimit): Source {
  let isDecided = false;
  const decide = async (): Promise<Uint8Array | undefined> => {
    const first = await readStart(source);
    isDecided = true;
    if (first === undefined || shapeOf(latin1(first)) !== "json") return first;
    return new TextEncoder().encode(await eventsOf(replay(first, source), limit));
  };
  return {
    read: () => isDecided ? source.read() : decide(),
    cancel: () => source.cancel(),
  };
}

/** The first bytes, as many as decide; undefined for an empty body. */
async function readStart(source: Source): Promise<Uint8Array | undefined> {
  let first: Uint8Array | undefined;
  for (;;) {
    const bytes = await source.read();
    if (bytes === undefined) return first;
    // The bytes of a source are valid until its next read.
    first = first === undefined ? bytes.slice() : Uint8Array.of(...first, ...bytes);
    if (shapeOf(latin1(first)) !== "unsure" || first.length > LOOK_BYTES_MAX) return first;
  }
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes.subarray(0, LOOK_BYTES_MAX));
}

function replay(first: Uint8Array, source: Source): ReadableStream<Uint8Array> {
  let next: Uint8Array | undefined = first;
  return new ReadableStream({
    async pull(controller) {
      const bytes = next ?? await source.read();
      next = undefined;
      if (bytes === undefined) controller.close();
      else controller.enqueue(bytes.slice());
    },
    cancel: () => source.cancel(),
  }, { highWaterMark: 0 });
}

async function eventsOf(
  body: ReadableStream<Uint8Array>,
  { bytesMax, tooLarge }: JsonLimit,
): Promise<string> {
  const bytes = await readWhole(body, { bytesMax });
  if (bytes === undefined) return encodeMessage(errorBody(tooLarge));
  const text = new TextDecoder().decode(bytes);
  const chunk = singleChunk(text);
  // What isn't an answer is an error: the client gets it as it is.
  return chunk === undefined ? encodeMessage(text.trim()) : encodeMessage(chunk) + DONE;
}
