/**
 * A pipeline that takes and gives text.
 *
 * @module
 */
import type { AnswerOptions } from "../../src/chat/pipeline/pipeline.ts";
import { type Failure, StreamedAnswer } from "../../src/chat/pipeline/streamed.ts";

/** Drives a pipeline; what it gives is decoded. */
export class TextAnswer {
  readonly pipeline: StreamedAnswer;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  constructor(options: AnswerOptions) {
    this.pipeline = new StreamedAnswer(options);
  }

  get isOver(): boolean {
    return this.pipeline.isOver;
  }

  push(text: string): string {
    return this.pushBytes(new TextEncoder().encode(text));
  }

  pushBytes(bytes: Uint8Array): string {
    return this.#decoder.decode(this.pipeline.push(bytes), { stream: true });
  }

  end(failure?: Failure): string {
    return this.#decoder.decode(this.pipeline.end(failure));
  }
}
