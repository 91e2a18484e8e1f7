/**
 * Messages that wait: the last word on some arguments depends on what comes next.
 *
 * @module
 */
import type { ChatChunk } from "../chat/chunk.ts";
import type { SseMessage } from "../sse/decode.ts";
import type { CallWords, ChoiceInput } from "./choice.ts";

/** A message on hold, or one that is not a chunk. */
export interface Waiting {
  readonly message: SseMessage;
  readonly chunk?: ChatChunk;
  readonly inputs?: readonly ChoiceInput[];
  readonly words?: readonly (CallWords | undefined)[];
}

/** Messages of more characters do not wait any longer. */
const WAITING_MAXIMUM = 64 * 1024;

/** The messages of one answer that wait, in order. */
export class WaitingMessages {
  #messages: Waiting[] = [];
  #length = 0;

  /** Whether none waits. */
  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Adds a message; gives whether all can go on waiting. */
  add(waiting: Waiting): boolean {
    this.#messages.push(waiting);
    this.#length += waiting.message.raw.length;
    return this.#length <= WAITING_MAXIMUM;
  }

  /** Gives all of them; none waits any longer. */
  take(): readonly Waiting[] {
    const messages = this.#messages;
    this.#messages = [];
    this.#length = 0;
    return messages;
  }
}
