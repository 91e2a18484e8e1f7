/**
 * A stream that passes unchanged, under the time limits of its exchange.
 *
 * @module
 */
import { errorBody } from "../chat/error.ts";
import { encodeMessage } from "../sse/encode.ts";
import { watchReads } from "./deadline.ts";
import { limitSource } from "./limited.ts";
import { openSource } from "./source.ts";
import type { TranslationOptions } from "./translation.ts";

/** What surrounds bytes that pass unchanged. */
export interface PassOptions extends Pick<TranslationOptions, "deadline" | "limits" | "broken"> {
  /** Whether the bytes are events, so that an error can follow them as another one. */
  readonly areEvents: boolean;
  /** The first bytes arrived. */
  readonly began?: (() => void) | undefined;
  /** Gets the bytes that passed. */
  readonly passed?: ((bytes: Uint8Array) => void) | undefined;
  /** The answer is over; `error` is the code of what went wrong. */
  readonly ended?: ((error?: string) => void) | undefined;
}

/**
 * The same bytes, under the same time limits. If events break off, an error event follows; what isn't a whole event is
 * ended first, so that the error is an event of its own. Other bytes break off, too.
 */
export function passStream(
  body: ReadableStream<Uint8Array>,
  { deadline, limits, broken, areEvents, began, passed, ended }: PassOptions,
): ReadableStream<Uint8Array> {
  const source = limitSource(openSource(body), deadline);
  const beginRead = watchReads(deadline, limits);
  const decoder = new TextDecoder("latin1");
  let lastBytes = "";
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        beginRead();
        const bytes = await source.read();
        deadline.pause();
        if (bytes === undefined) {
          deadline.stop();
          controller.close();
          return ended?.();
        }
        began?.();
        lastBytes = (lastBytes + decoder.decode(bytes.subarray(-4))).slice(-4);
        const copy = bytes.slice();
        passed?.(copy);
        controller.enqueue(copy);
      } catch (cause) {
        deadline.stop();
        ended?.((deadline.error ?? broken).code);
        if (!areEvents) return controller.error(cause);
        const isWhole = lastBytes === "" || lastBytes.endsWith("\n\n") || lastBytes.endsWith("\r\n\r\n");
        const event = encodeMessage(errorBody(deadline.error ?? broken));
        controller.enqueue(new TextEncoder().encode(isWhole ? event : `\n\n${event}`));
        controller.close();
      }
    },
    async cancel() {
      deadline.stop();
      ended?.("client_left");
      await source.cancel();
    },
  }, { highWaterMark: 0 });
}
