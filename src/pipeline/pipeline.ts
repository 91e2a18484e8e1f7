/**
 * The way of the data, in one visible list. Read this file first.
 *
 *     upstream bytes ─▶ sse/decode ─▶ chat/read ─▶ matcher ─▶ renderer ─▶ chat/write ─▶ sse/encode ─▶ client
 *                                                  └─ pipeline/choice, one for each choice ─┘
 *
 * Calls that the upstream sends itself join the events behind the matcher. A message whose events come to exactly
 * its own words leaves as it came. Nothing in here waits, reads a clock or
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

/** Messages whose last word on some arguments depends on what comes next. */
interface HeldMessages {
  /** They leave so if it was right. */
  readonly asItCame: string;
  /** They leave so if not: without that word. */
  readonly written: string;
}

/** Messages of more characters do not wait any longer. */
const HELD_MAXIMUM = 64 * 1024;

/** One streamed answer on its way from the upstream to the client. */
export class Pipeline {
  readonly #decoder = new SseDecoder();
  readonly #answer: Answer;
  readonly #isStopped: () => boolean;
  #isOver = false;
  #isDone = false;
  /** Whether the answer was stopped at its end, and only its usage is still awaited. */
  #isJudged = false;
  #held: HeldMessages | undefined;

  /**
   * The way of one answer.
   *
   * @param options what makes the matchers and renderers of the answer's choices
   */
  constructor(options: AnswerOptions) {
    this.#answer = new Answer(options);
    this.#isStopped = options.isStopped ?? (() => false);
  }

  /** True once the client has its whole answer: the upstream need not be read any further. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The usage that the upstream has told; null where it told none. */
  get usage(): unknown {
    return this.#answer.usage;
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
    const { text, hasFinish } = this.#close({ truncated: true });
    if (this.#isStopped()) return rest;
    const isTold = failure !== undefined && (failure.isAlwaysTold || !hasFinish);
    if (isTold) return rest + text + encodeMessage(errorBody(failure.error));
    if (this.#isDone || !(hasFinish || this.#answer.isWholeWithCall)) return rest + text;
    if (!hasFinish) this.#answer.noteMissingDone();
    return rest + text + DONE;
  }

  /** What waits and what the choices still have to say. */
  #close(
    { truncated }: { readonly truncated: boolean },
  ): { readonly text: string; readonly hasFinish: boolean } {
    const closing = this.#answer.close({ truncated, isHeld: this.#held !== undefined });
    const waiting = closing.isConfirmed ? this.#confirm() : this.#giveUp();
    return { text: waiting + encode(closing.chunks), hasFinish: closing.hasFinish };
  }

  #translate(message: SseMessage): string {
    if (this.#isOver) return "";
    if (this.#isJudged) return this.#awaitUsage(message);
    const text = this.#say(message);
    if (!this.#isStopped()) return text;
    // An answer that was judged at its end has paid for itself: what it cost may still be told.
    this.#isJudged = this.#answer.isEnded && !this.#isDone && this.#answer.usage === null;
    this.#isOver = !this.#isJudged;
    return "";
  }

  #awaitUsage(message: SseMessage): string {
    const chunk = message.data === undefined ? undefined : readChunk(message.data);
    if (chunk !== undefined) this.#answer.readUsage(chunk);
    this.#isOver = message.data === DONE_DATA || this.#answer.usage !== null;
    return "";
  }

  #say(message: SseMessage): string {
    if (message.data === DONE_DATA) {
      this.#isDone = true;
      return this.#close({ truncated: false }).text + message.raw;
    }
    const chunk = message.data === undefined ? undefined : readChunk(message.data);
    if (chunk === undefined) return this.#pass(message.raw);
    const reading = this.#answer.read(chunk, { isHeld: this.#held !== undefined });
    if (reading.isUnchanged) {
      if (!reading.owes) return this.#confirm() + message.raw;
      return this.#hold({ asItCame: message.raw, written: encode(reading.write(), message.event) });
    }
    const text = this.#giveUp() + encode(reading.write(), message.event);
    if (!this.#answer.isSatisfied) return text;
    this.#isOver = true;
    return text + encode(this.#answer.usageChunk) + DONE;
  }

  /** A message that is no chunk. */
  #pass(raw: string): string {
    return this.#held === undefined ? raw : this.#hold({ asItCame: raw, written: raw });
  }

  #hold({ asItCame, written }: HeldMessages): string {
    const before = this.#held ?? { asItCame: "", written: "" };
    this.#held = { asItCame: before.asItCame + asItCame, written: before.written + written };
    return this.#held.asItCame.length > HELD_MAXIMUM ? this.#giveUp() : "";
  }

  /** What waited may leave as it came. */
  #confirm(): string {
    const { asItCame = "" } = this.#held ?? {};
    this.#held = undefined;
    return asItCame;
  }

  /** What waited leaves without what it owes. */
  #giveUp(): string {
    const { written = "" } = this.#held ?? {};
    this.#held = undefined;
    return written;
  }
}

function encode(chunks: readonly ChatChunk[], event?: string): string {
  return chunks.map((chunk) => encodeMessage(JSON.stringify(chunk), event)).join("");
}
