/** Holds messages with arguments whose repair depends on the next message. @module */
import type { ChatChunk } from "../message/chunk.ts";
import type { SseMessage } from "../sse/decode.ts";
import type { ChoicePart } from "./choices.ts";

/** A message with a chunk, or one that is sent unchanged. */
export interface ParsedMessage {
  readonly message: SseMessage;
  readonly chunk?: ChatChunk;
  readonly parts?: readonly ChoicePart[];
}

const HELD_MAXIMUM = 64 * 1024;

export class HeldMessages {
  #messages: ParsedMessage[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Adds a message; false: the messages are too long and must be taken. */
  add(parsed: ParsedMessage): boolean {
    this.#messages.push(parsed);
    this.#length += parsed.message.raw.length;
    return this.#length <= HELD_MAXIMUM;
  }

  take(): readonly ParsedMessage[] {
    const messages = this.#messages;
    this.#messages = [];
    this.#length = 0;
    return messages;
  }
}
