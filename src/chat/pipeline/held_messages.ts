/**
 * Holds messages with arguments whose repair depends on the next message.
 *
 * @module
 */
import type { ChatChunk } from "../message/chunk.ts";
import type { SseMessage } from "../sse/decode.ts";
import type { ChoicePart } from "./choices.ts";

/** A message with a chunk, or one that is sent unchanged. */
export interface ParsedMessage {
  readonly message: SseMessage;
  readonly chunk?: ChatChunk;
  /** The content of each of the chunk's choices. */
  readonly parts?: readonly ChoicePart[];
}

/** The most characters of messages to hold. */
const HELD_MAXIMUM = 64 * 1024;

/** The held messages of one answer, in order. */
export class HeldMessages {
  #messages: ParsedMessage[] = [];
  #length = 0;

  /** Whether no message is held. */
  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  /** Adds a message; false: the messages are too long and must be taken. */
  add(parsed: ParsedMessage): boolean {
    this.#messages.push(parsed);
    this.#length += parsed.message.raw.length;
    return this.#length <= HELD_MAXIMUM;
  }

  /** Removes and returns all messages. */
  take(): readonly ParsedMessage[] {
    const messages = this.#messages;
    this.#messages = [];
    this.#length = 0;
    return messages;
  }
}
