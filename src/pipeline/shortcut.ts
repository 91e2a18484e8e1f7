/**
 * The shortcut for most messages of an answer: those of a known shape reach the stages without being parsed. The shape
 * is learned from messages that took the long way, and learned again whenever it changes.
 *
 * @module
 */
import type { ChatChunk } from "../chat/chunk.ts";
import { MessageShape } from "../chat/shape.ts";
import { TemplateWriter, type WriteOutcome } from "../chat/template.ts";
import type { ReasoningEvent, TextEvent } from "../event/event.ts";
import type { SseMessage } from "../sse/decode.ts";
import type { Choice, ChoiceInput } from "./choice.ts";

/** When no shape lasts, one message of this many is learned from. */
const PAUSE_MAXIMUM = 64;

/** A message that took the long way. */
export interface Lesson {
  readonly message: SseMessage;
  readonly chunk: ChatChunk;
  /** What it holds for its one choice. */
  readonly input: ChoiceInput;
  readonly choice: Choice;
  /** Writes an outcome in its place. */
  readonly write: WriteOutcome;
}

/** A shape, and what to do with its messages. */
interface Known {
  readonly shape: MessageShape;
  readonly choice: Choice;
  readonly writer: TemplateWriter;
}

/** Knows the shape of an answer's messages. */
export class Shortcut {
  /** How many messages took the shortcut. */
  count = 0;
  /** What takes the place of the message that was taken last; undefined: it leaves as it came. */
  written: string | undefined;
  #known: Known | undefined;
  /** How many messages pass before the next lesson, and how many have since the last one. */
  #pause = 0;
  #passed = 0;
  #countAtLesson = 0;

  /** What ends a message. */
  get messageEnd(): string {
    return this.#known?.shape.messageEnd ?? "\n\n";
  }

  /** Takes the message that begins at an offset if it has the known shape; gives where it ends, or -1. */
  take(text: string, at: number): number {
    if (this.#known === undefined) return -1;
    const { shape, choice, writer } = this.#known;
    const spoken = choice.isEnded ? undefined : shape.read(text, at);
    if (spoken === undefined) return -1;
    this.count++;
    const outcome = choice.takeSpoken(spoken);
    if (outcome !== undefined) this.written = writer.write(outcome);
    else this.written = writer.isWaiting ? writer.flush() + text.slice(at, shape.end) : undefined;
    return shape.end;
  }

  /** What waits for more of its kind. */
  flush(): string {
    return this.#known?.writer.flush() ?? "";
  }

  /** Learns the shape of a message that holds nothing but text or reasoning. */
  learn({ message, chunk, input, choice, write }: Lesson): void {
    const spoken = onlySpoken(input);
    const { raw, data } = message;
    if (spoken === undefined || data === undefined || chunk.usage != null) return;
    if (this.#passed++ < this.#pause) return;
    const shape = MessageShape.learn({ raw, data, chunk, spoken });
    if (shape === undefined) return;
    const hasLasted = this.count > this.#countAtLesson;
    this.#pause = hasLasted ? 0 : Math.min(PAUSE_MAXIMUM, this.#pause * 2 + 1);
    this.#passed = 0;
    this.#countAtLesson = this.count;
    this.#known = { shape, choice, writer: new TemplateWriter(write) };
  }
}

function onlySpoken(input: ChoiceInput): TextEvent | ReasoningEvent | undefined {
  const { text, reasoning, role, toolCalls, functionCall, reason } = input;
  if (role || toolCalls != null || functionCall != null || reason !== null) return undefined;
  if (text) return reasoning === undefined ? { kind: "text", text } : undefined;
  return reasoning === undefined ? undefined : { kind: "reasoning", text: reasoning };
}
