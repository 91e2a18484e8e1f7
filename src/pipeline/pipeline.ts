/**
 * The way of the data, in one visible list. Read this file first.
 *
 *     upstream bytes ─▶ sse/decode ─▶ chat/read ─▶ matcher ─▶ renderer ─▶ chat/write ─▶ sse/encode ─▶ client
 *                                                  └─ pipeline/choice, one for each choice ─┘
 *
 * A message whose events come to exactly its own text leaves as it came. Nothing in here waits, reads a clock or
 * touches a socket: bytes go in, text comes out.
 *
 * @module
 */
import type { ChatChunk } from "../chat/chunk.ts";
import { type ApiError, errorBody } from "../chat/error.ts";
import { DONE_DATA, readChunk } from "../chat/read.ts";
import { SseDecoder, type SseMessage } from "../sse/decode.ts";
import { DONE, encodeMessage } from "../sse/encode.ts";
import { Answer, type AnswerOptions } from "./answer.ts";

/** How a stream ended that did not end well. */
export interface Failure {
  /** What to tell the client. */
  readonly error: ApiError;
  /** True: the client hears of it in any case; else only where no call had to be ended for it. */
  readonly isAlwaysTold: boolean;
}

/** One streamed answer on its way from the upstream to the client. */
export class Pipeline {
  readonly #decoder = new SseDecoder();
  readonly #answer: Answer;
  #isOver = false;

  /**
   * The way of one answer.
   *
   * @param options what makes the matchers and renderers of the answer's choices
   */
  constructor(options: AnswerOptions) {
    this.#answer = new Answer(options);
  }

  /** True once the client has its whole answer: the upstream need not be read any further. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes the next bytes of the upstream and gives what the client gets now, perhaps nothing. */
  push(bytes: Uint8Array): string {
    return this.#decoder.push(bytes).map((message) => this.#translate(message)).join("");
  }

  /** The upstream's stream is over, or broke off: gives the rest. */
  end(failure?: Failure): string {
    const rest = this.#decoder.end().map((message) => this.#translate(message)).join("");
    if (this.#isOver) return rest;
    this.#isOver = true;
    const { chunks, hasFinish } = this.#answer.close({ truncated: true });
    const isTold = failure !== undefined && (failure.isAlwaysTold || !hasFinish);
    return rest + encode(chunks) + (isTold ? encodeMessage(errorBody(failure.error)) : hasFinish ? DONE : "");
  }

  #translate(message: SseMessage): string {
    if (this.#isOver || message.data === undefined) return this.#isOver ? "" : message.raw;
    if (message.data === DONE_DATA) {
      return encode(this.#answer.close({ truncated: false }).chunks) + message.raw;
    }
    const chunk = readChunk(message.data);
    const translated = chunk && this.#answer.read(chunk);
    if (translated === undefined) return message.raw;
    const text = encode(translated, message.event);
    if (!this.#answer.isSatisfied) return text;
    this.#isOver = true;
    return text + encode(this.#answer.usage) + DONE;
  }
}

function encode(chunks: readonly ChatChunk[], event?: string): string {
  return chunks.map((chunk) => encodeMessage(JSON.stringify(chunk), event)).join("");
}
