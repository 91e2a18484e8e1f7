/**
 * Reads most messages of an answer without parsing them: those that have the shape of an earlier message. The shape is
 * learned from parsed messages, and learned again after it changes.
 *
 * @module
 */
import type { ChatChunk } from "../message/chunk.ts";
import { MessageShape, type ProseEvent } from "../message/shape.ts";
import { ReplacementWriter, type WriteOutcome } from "../message/replacement.ts";
import type { SseMessage } from "../sse/decode.ts";
import type { Choice, ChoiceInput } from "./choice.ts";

/** While no shape lasts, at most this many messages pass between two that a shape is learned from. */
const PAUSE_MAXIMUM = 64;

const COLON = 0x3a;

interface ShapeExample {
  readonly message: SseMessage;
  readonly chunk: ChatChunk;
  readonly input: ChoiceInput;
  readonly choice: Choice;
  /** Writes an outcome that replaces the message. */
  readonly write: WriteOutcome;
}

/** A learned shape, with the choice of its messages and the writer of their replacements. */
interface LearnedShape {
  readonly shape: MessageShape;
  readonly choice: Choice;
  readonly writer: ReplacementWriter;
}

/** A message that was read. */
export interface Taken {
  /** The offset after it. */
  readonly end: number;
  /** What replaces it; undefined: it is sent unchanged. */
  readonly written: string | undefined;
}

/** Reads the messages of one answer that have a learned shape. */
export class Shortcut {
  /** The number of messages that were read without parsing. */
  count = 0;
  #learned: LearnedShape | undefined;
  /** The number of messages to skip before a shape is learned again, and of those skipped since the last one. */
  #pause = 0;
  #skipped = 0;
  #countAtLearning = 0;

  get messageEnd(): string {
    return this.#learned?.shape.messageEnd ?? "\n\n";
  }

  /** Takes the message at an offset, with the comments before it, if it has the learned shape. */
  take(text: string, at: number): Taken | undefined {
    if (this.#learned === undefined) return undefined;
    const { shape, choice, writer } = this.#learned;
    // Held arguments must be sent before a comment.
    const start = writer.isHolding ? at : skipComments(text, at);
    const event = choice.isEnded ? undefined : shape.read(text, start);
    if (event === undefined) return undefined;
    this.count++;
    const { end } = shape;
    const outcome = choice.takeProse(event);
    if (outcome !== undefined) return { end, written: text.slice(at, start) + writer.write(outcome) };
    return { end, written: writer.isHolding ? writer.flush() + text.slice(at, end) : undefined };
  }

  flush(): string {
    return this.#learned?.writer.flush() ?? "";
  }

  /** Learns the shape of a message that contains nothing but text or reasoning. */
  learn({ message, chunk, input, choice, write }: ShapeExample): void {
    const prose = onlyProse(input);
    const { raw, data } = message;
    if (prose === undefined || data === undefined || chunk.usage != null) return;
    if (this.#skipped++ < this.#pause) return;
    const shape = MessageShape.learn({ raw, data, chunk, prose });
    if (shape === undefined) return;
    const hasLasted = this.count > this.#countAtLearning;
    this.#pause = hasLasted ? 0 : Math.min(PAUSE_MAXIMUM, this.#pause * 2 + 1);
    this.#skipped = 0;
    this.#countAtLearning = this.count;
    this.#learned = { shape, choice, writer: new ReplacementWriter(write) };
  }
}

/** The offset after the comment lines at an offset. Servers write them as heartbeats. */
function skipComments(text: string, at: number): number {
  let next = at;
  while (text.charCodeAt(next) === COLON) {
    const end = text.indexOf("\n", next);
    // The line is cut off, or it ends earlier, with a carriage return alone.
    if (end < 0 || text.slice(next, end - 1).includes("\r")) break;
    next = end + 1;
  }
  return next;
}

function onlyProse({ text, reasoning, role, toolCalls, functionCall, reason }: ChoiceInput):
  | ProseEvent
  | undefined {
  if (role || toolCalls != null || functionCall != null || reason !== null) return undefined;
  if (text) return reasoning === undefined ? { kind: "text", text } : undefined;
  return reasoning === undefined ? undefined : { kind: "reasoning", text: reasoning };
}
