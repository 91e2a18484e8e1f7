/** A stream that passes unchanged, under the time limits of its exchange. @module */
import { type ApiError, errorBody, errorOf } from "../../chat/message/error.ts";
import { encodeMessage } from "../../chat/sse/encode.ts";
import { encodeText } from "../../chat/sse/utf8_encoder.ts";
import { WholeEvents } from "../../chat/sse/whole_events.ts";
import { watchReads } from "../exchange/deadline.ts";
import { limitSource } from "./limited.ts";
import { openSource } from "./source.ts";
import type { TranslationOptions } from "../exchange/translation.ts";

export interface PassOptions extends Pick<TranslationOptions, "deadline" | "limits" | "broken"> {
  /** Whether the bytes are events, so that an error event can follow them. */
  readonly areEvents: boolean;
  readonly began?: (() => void) | undefined;
  readonly passed?: ((bytes: Uint8Array) => void) | undefined;
  /** Whether the bytes so far are a whole answer. Events that end before that broke off. */
  readonly hasEnd?: (() => boolean) | undefined;
  readonly ended?: ((error?: string) => void) | undefined;
  /** An error of the upstream in other words; undefined: it stays. */
  readonly reword?: ((error: ApiError) => ApiError | undefined) | undefined;
}

/** The same bytes, under time limits. If events break off, an error event follows the last whole one. */
export function passStream(
  body: ReadableStream<Uint8Array>,
  { deadline, limits, broken, areEvents, began, passed, hasEnd, ended, reword }: PassOptions,
): ReadableStream<Uint8Array> {
  const source = limitSource(openSource(body), deadline);
  const beginRead = watchReads(deadline, limits);
  const replaceError = reword && ((data: string, event: string | undefined) => {
    const error = errorOf(data, event);
    const reworded = error && reword(error);
    return reworded && encodeMessage(errorBody(reworded));
  });
  const events = areEvents ? new WholeEvents({ replaceError }) : undefined;
  let hasLeft = false;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const give = (bytes: Uint8Array) => {
        if (bytes.length === 0) return false;
        passed?.(bytes);
        controller.enqueue(bytes);
        return true;
      };
      try {
        for (let isGiven = false; !isGiven;) {
          beginRead();
          const bytes = await source.read();
          deadline.pause();
          if (hasLeft) return;
          if (bytes === undefined) {
            const rest = events === undefined ? NOTHING : events.end();
            if (rest === undefined) throw new Error("The stream ended inside an event");
            give(rest);
            if (events !== undefined && hasEnd?.() === false) throw new Error("The stream has no end");
            deadline.stop();
            controller.close();
            return ended?.();
          }
          began?.();
          isGiven = give(events === undefined ? bytes.slice() : events.push(bytes));
        }
      } catch (cause) {
        if (hasLeft) return;
        deadline.stop();
        ended?.((deadline.error ?? broken).code);
        if (events === undefined) return controller.error(cause);
        give(events.breakOff());
        controller.enqueue(encodeText(encodeMessage(errorBody(deadline.error ?? broken))));
        controller.close();
      }
    },
    async cancel() {
      hasLeft = true;
      deadline.stop();
      ended?.("client_left");
      await source.cancel();
    },
  }, { highWaterMark: 0 });
}

const NOTHING = new Uint8Array();
