/** Reads an answer as its translation would, and gives the client nothing: it passes, or is read ahead. @module */
import { type ApiError, errorOf } from "../../chat/message/error.ts";
import { readCompletion } from "../../chat/message/read.ts";
import { statedUsage } from "../../chat/message/usage.ts";
import type { AnswerOptions } from "../../chat/pipeline/pipeline.ts";
import { StreamedAnswer } from "../../chat/pipeline/streamed.ts";
import { readAnswer } from "../../chat/pipeline/whole.ts";
import { type BodyKind, kindOf } from "../transport/body_kind.ts";
import { decode } from "../transport/encoding.ts";
import type { Turns } from "./turns.ts";

export interface BodyReader {
  /** Takes the next bytes, which then belong to the reader. Resolves when they are read. */
  push(bytes: Uint8Array): void | Promise<void>;
  end(): void | Promise<void>;
  readonly isOver?: boolean;
  /** The token counts that the upstream stated so far. */
  readonly usage?: unknown;
  /** The error that the upstream sent as a message or as the whole body. */
  readonly upstreamError?: ApiError | undefined;
}

interface BodyReaderOptions {
  readonly kind: BodyKind;
  /** Its stages; their output is dropped. */
  readonly answer: AnswerOptions;
  readonly turns: Turns;
  readonly bytesMax: number;
}

export function openReading(options: BodyReaderOptions): BodyReader {
  return options.kind === "stream" ? streamReading(options) : wholeReading(options);
}

function streamReading(options: BodyReaderOptions): BodyReader {
  const { answer, turns } = options;
  const pipeline = new StreamedAnswer(answer);
  let isFirst = true;
  /** Reads the body if it turns out to be JSON. */
  let whole: BodyReader | undefined;
  return {
    get isOver() {
      return whole === undefined && pipeline.isOver;
    },
    get usage() {
      return whole === undefined ? pipeline.statedUsage : whole.usage;
    },
    get upstreamError() {
      return whole === undefined ? pipeline.upstreamError : whole.upstreamError;
    },
    async push(bytes) {
      if (isFirst && kindOf(new TextDecoder("latin1").decode(bytes)) === "json") {
        whole = wholeReading(options);
      }
      isFirst = false;
      if (whole !== undefined) return await whole.push(bytes);
      if (!pipeline.isOver) await turns.take(pipeline.read(bytes));
    },
    async end() {
      if (whole !== undefined) return await whole.end();
      if (!pipeline.isOver) await turns.take(pipeline.readEnd());
    },
  };
}

function wholeReading({ answer, turns, bytesMax }: BodyReaderOptions): BodyReader {
  const decoder = new TextDecoder();
  let text = "";
  let bytesLeft = bytesMax;
  let upstreamError: ApiError | undefined;
  let usage: unknown;
  return {
    get usage() {
      return usage;
    },
    get upstreamError() {
      return upstreamError;
    },
    push(bytes) {
      bytesLeft -= bytes.length;
      if (bytesLeft >= 0) text += decoder.decode(bytes, { stream: true });
    },
    async end() {
      const whole = text + decoder.decode();
      text = "";
      if (bytesLeft < 0) return;
      upstreamError = errorOf(whole);
      const read = () => {
        const completion = readCompletion(whole);
        usage = statedUsage(completion ?? {});
        return completion;
      };
      await turns.take(readAnswer(whole, answer, read));
    },
  };
}

/** The same reading for bytes with content codings. */
export function decoded(reading: BodyReader, codings: readonly string[]): BodyReader {
  let coded: ReadableStreamDefaultController<Uint8Array> | undefined;
  const source = new ReadableStream<Uint8Array>({ start: (controller) => void (coded = controller) });
  const read = async () => {
    for await (const bytes of decode(source, codings)) await reading.push(bytes);
    await reading.end();
  };
  const done = read().catch(() => {});
  return {
    push(bytes) {
      coded?.enqueue(bytes.slice());
    },
    async end() {
      coded?.close();
      await done;
    },
  };
}
