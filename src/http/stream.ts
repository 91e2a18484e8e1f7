/**
 * A streamed answer and its pipeline. One pull stream: it reads the upstream only when the client
 * wants more, through one reused buffer, and gives on one piece a read.
 *
 * A fetch's ordinary reader allocates 64 KiB for every read, so the buffer is our own; where the body cannot
 * read into a buffer, the ordinary reader does.
 *
 * @module
 */
import { errorBody } from "../chat/error.ts";
import type { Failure, StreamedAnswer } from "../pipeline/streamed.ts";
import type { Work } from "../pipeline/work.ts";
import { encodeMessage } from "../sse/encode.ts";
import { type Deadline, type ReadLimits, watchReads } from "./deadline.ts";
import { jsonAsEvents, type JsonLimit } from "./json_as_events.ts";
import { limitSource } from "./limited.ts";
import type { HttpError } from "./respond.ts";
import { openSource } from "./source.ts";
import { Turns } from "./turns.ts";

const NOTHING: Uint8Array<ArrayBuffer> = new Uint8Array();

/** What a stream needs. */
export interface StreamOptions {
  /** The pipeline of the answer, fresh. */
  readonly pipeline: StreamedAnswer;
  /** The time limits of the exchange; stopped when the stream is over. */
  readonly deadline: Deadline;
  /** How long the reads may take. */
  readonly limits: ReadLimits;
  /** The error for the client when the connection breaks. */
  readonly broken: HttpError;
  /** What of JSON is read that comes instead of events. */
  readonly json: JsonLimit;
  /** The turns in which the pipeline works. */
  readonly turns?: Turns;
  /** The answer was stopped: gives what the client gets instead of its rest; undefined: it was not. */
  readonly sequel?: (() => Promise<ReadableStream<Uint8Array> | undefined>) | undefined;
  /** The answer is over; `error` is the code of what went wrong. */
  readonly ended?: (error?: string) => void;
}

/**
 * The client's stream.
 *
 * @param body the upstream's stream; canceled when the client leaves or has all it can take
 * @param options the pipeline and the limits
 */
export function translateStream(
  body: ReadableStream<Uint8Array>,
  options: StreamOptions,
): ReadableStream<Uint8Array> {
  const { pipeline, deadline, turns = new Turns(), ended } = options;
  const source = jsonAsEvents(limitSource(openSource(body), options.deadline), options.json);
  let error: string | undefined;
  let rest: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let hasLeft = false;
  const take = async (work: Work<Uint8Array<ArrayBuffer>>) =>
    await turns.take(work, () => hasLeft) ?? NOTHING;
  const beginRead = watchReads(deadline, options.limits);
  const next = async (): Promise<Uint8Array<ArrayBuffer>> => {
    try {
      beginRead();
      const bytes = await source.read();
      deadline.pause();
      if (bytes === undefined) return await take(pipeline.readEnd());
      const given = await take(pipeline.read(bytes));
      if (pipeline.isOver) await source.cancel();
      return given;
    } catch {
      const failed = failure(options);
      error = failed.error.code ?? undefined;
      return await take(pipeline.readEnd(failed));
    }
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (rest !== undefined) return await forward(rest, controller);
      // A pull that gives nothing is not repeated by the stream, so it goes on until it has something to give.
      let given = NOTHING;
      while (given.length === 0 && !pipeline.isOver && !hasLeft) given = await next();
      if (hasLeft) return;
      if (given.length > 0) controller.enqueue(given);
      if (!pipeline.isOver) return;
      deadline.stop();
      rest = (await options.sequel?.())?.getReader();
      // What is stopped ends elsewhere: with the answer that follows, or with the error.
      if (rest !== undefined) return given.length === 0 ? await forward(rest, controller) : undefined;
      controller.close();
      ended?.(error ?? pipeline.errorCode);
    },
    async cancel() {
      hasLeft = true;
      deadline.stop();
      if (rest !== undefined) return await rest.cancel();
      ended?.("client_left");
      await source.cancel();
    },
  }, { highWaterMark: 0 });
}

/** What surrounds bytes that pass unchanged. */
export interface PassOptions extends Pick<StreamOptions, "deadline" | "limits" | "broken"> {
  /** Whether the bytes are events, so that an error can follow them as another one. */
  readonly areEvents: boolean;
  /** The first bytes arrived. */
  readonly began?: (() => void) | undefined;
  /** The answer is over; `error` is the code of what went wrong. */
  readonly ended?: ((error?: string) => void) | undefined;
}

/**
 * The same bytes, under the same time limits. If events break off, an error event follows; what isn't a whole event is
 * ended first, so that the error is an event of its own. Other bytes break off, too.
 */
export function passStream(
  body: ReadableStream<Uint8Array>,
  { deadline, limits, broken, areEvents, began, ended }: PassOptions,
): ReadableStream<Uint8Array> {
  const source = limitSource(openSource(body), deadline);
  const beginRead = watchReads(deadline, limits);
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
        lastBytes = (lastBytes + new TextDecoder("latin1").decode(bytes.subarray(-4))).slice(-4);
        controller.enqueue(bytes.slice());
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

async function forward(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  const { done, value } = await reader.read();
  if (done) controller.close();
  else controller.enqueue(value);
}

function failure({ deadline, broken }: StreamOptions): Failure {
  return { error: deadline.error ?? broken };
}
