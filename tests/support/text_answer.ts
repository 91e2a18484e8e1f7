/**
 * A pipeline that takes and gives text.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { AnswerOptions } from "../../src/chat/pipeline/pipeline.ts";
import { type Failure, StreamedAnswer } from "../../src/chat/pipeline/streamed.ts";
import type { Service } from "../../src/proxy/exchange/service.ts";

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

/** The streamed answer to a client that its system prompt shows. */
export function answerToPrompt(service: Service, prompt: string): TextAnswer {
  const translator = service.recognize({ messages: [{ role: "system", content: prompt }] }, new Headers());
  assert.ok(translator);
  return new TextAnswer({
    createMatcher: (transcript) => translator.createMatcher({ isStreamed: true }, transcript),
    createRenderer: () => translator.createRenderer(() => "call_1"),
    ...(translator.native && { native: translator.native }),
  });
}
