/** A streamed body on its path through the stages. It is read only while the reader wants more. @module */
import type { StreamedAnswer } from "../../chat/pipeline/streamed.ts";

/** What is written before the answer begins, and what makes the connection break at its end. */
export interface BodyOptions {
  /** The first bytes. */
  readonly begin?: Uint8Array;
}

/**
 * The client's bytes. If the upstream's connection breaks, this one does, too, and a call that had begun stays unfinished.
 *
 * @param body the upstream's bytes; canceled if the client cancels or has its whole answer
 * @param answer the stages
 */
export function translateBody(
  body: ReadableStream<Uint8Array>,
  answer: StreamedAnswer,
  { begin }: BodyOptions = {},
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    start(client) {
      if (begin !== undefined && begin.length > 0) client.enqueue(begin);
    },
    async pull(client) {
      for (;;) {
        const { done, value } = await reader.read();
        const bytes = done ? answer.end() : answer.push(value);
        if (bytes.length > 0) client.enqueue(bytes);
        if (done || answer.isOver) {
          if (!done) void reader.cancel().catch(() => {});
          if (answer.mustBreak) client.error(new Error("The answer was cut off"));
          else client.close();
          return;
        }
        if (bytes.length > 0) return;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}
