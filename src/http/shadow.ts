/**
 * An answer that reaches the client byte for byte while it is read beside it: the dry run and the other side of the
 * canary. In: the upstream's bytes. Out: the same bytes; what was read in them is heard by those who watch. The
 * reading never delays, changes or breaks the answer.
 *
 * @module
 */
import { decode } from "./encoding.ts";
import type { AnswerOptions } from "../pipeline/pipeline.ts";
import { StreamedAnswer } from "../pipeline/streamed.ts";
import { translateWhole } from "../pipeline/whole.ts";

/** Reads an answer that others send. */
export interface Reading {
  /** The next bytes; they are the reader's own. */
  push(bytes: Uint8Array): void;
  /** There are no more. */
  end(): void;
}

/** How an answer is read. */
export interface ReadingOptions {
  /** A stream of events, or one JSON body. */
  readonly kind: "stream" | "json";
  /** What reads it; all that it says to the client is dropped. */
  readonly answer: AnswerOptions;
  /** The longest JSON body that is read. */
  readonly bytesMax: number;
}

/** Reads along a stream or a whole body. */
export function openReading({ kind, answer, bytesMax }: ReadingOptions): Reading {
  return kind === "stream" ? streamReading(new StreamedAnswer(answer)) : wholeReading(answer, bytesMax);
}

function streamReading(pipeline: StreamedAnswer): Reading {
  return {
    push(bytes) {
      if (!pipeline.isOver) pipeline.push(bytes);
    },
    end() {
      if (!pipeline.isOver) pipeline.end();
    },
  };
}

function wholeReading(answer: AnswerOptions, bytesMax: number): Reading {
  const decoder = new TextDecoder();
  let text = "";
  let bytesLeft = bytesMax;
  return {
    push(bytes) {
      bytesLeft -= bytes.length;
      if (bytesLeft >= 0) text += decoder.decode(bytes, { stream: true });
    },
    end() {
      if (bytesLeft >= 0) translateWhole(text + decoder.decode(), answer);
      text = "";
    },
  };
}

/** The same reading for bytes with content codings. */
export function decoded(reading: Reading, codings: readonly string[]): Reading {
  let coded: ReadableStreamDefaultController<Uint8Array> | undefined;
  const source = new ReadableStream<Uint8Array>({ start: (controller) => void (coded = controller) });
  const read = async () => {
    for await (const bytes of decode(source, codings)) reading.push(bytes);
    reading.end();
  };
  read().catch(() => {});
  return {
    push: (bytes) => coded?.enqueue(bytes.slice()),
    end: () => coded?.close(),
  };
}

/** What happens around the bytes that pass. */
export interface ShadowOptions {
  /** Reads along. */
  readonly reading: Reading;
  /** Does a piece of work; it may measure it. */
  readonly measure: (work: () => void) => void;
  /** The answer is over: `error` says what went wrong. */
  readonly ended: (error?: string) => void;
}

/** The same bytes, read along. */
export function passAndRead(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { reading, measure, ended }: ShadowOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let isReading = true;
  const readAlong = (work: () => void) => {
    if (!isReading) return;
    try {
      measure(work);
    } catch {
      isReading = false;
    }
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value } = await reader.read();
        if (value === undefined) {
          controller.close();
          readAlong(() => reading.end());
          return ended();
        }
        // What is handed on is no longer ours to read.
        const bytes = value.slice();
        controller.enqueue(value);
        readAlong(() => reading.push(bytes));
      } catch (cause) {
        controller.error(cause);
        readAlong(() => reading.end());
        ended("upstream_broke_off");
      }
    },
    async cancel(reason) {
      readAlong(() => reading.end());
      ended("client_left");
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
