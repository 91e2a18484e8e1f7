/**
 * One choice of an answer: turns the upstream's messages into events and passes them to the choice's stages. The choices
 * of an answer are independent of each other.
 *
 * @module
 */
import type { AnswerEvent, FailureEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { ChatMessage, ChoiceDelta } from "../message/chunk.ts";
import { contentText, reasoningText } from "../message/read.ts";
import type { ProseEvent } from "../message/shape.ts";
import type { ChoiceOutcome } from "../message/write.ts";
import type { TextEndEvent } from "../../engine/event/event.ts";
import type { TextStage } from "../../engine/event/stage.ts";
import { NATIVE_RULE, type NativeEvent } from "../native/call.ts";
import type { NativeInput, NativeReader } from "../native/reader.ts";
import type { Renderer } from "../render/renderer.ts";
import type { ChoiceOutput } from "./choice_output.ts";
import type { FinishFilter } from "./finish_filter.ts";
import type { Work } from "./work.ts";

interface ChoiceParts {
  readonly reader: NativeReader;
  readonly hasTextCalls: boolean;
  /** The first stage, for everything except the upstream's own calls. */
  readonly first: Sink;
  /** The stage that reads the text, and what gets its events. */
  readonly texts: TextStage<AnswerEvent>;
  readonly afterTexts: Sink;
  /** The first stage for the upstream's own calls, after the matcher. */
  readonly native: Sink;
  /** The first stage for an early end, after the plugins. */
  readonly last: Sink;
  readonly finishFilter: FinishFilter;
  readonly renderer: Renderer;
  readonly writer: ChoiceOutput;
}

export interface ChoiceInput extends NativeInput {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly role?: string | undefined;
  /** The upstream's finish reason; null while the choice continues. */
  readonly reason: string | null;
}

export interface CallEvents {
  readonly delta: readonly NativeEvent[] | undefined;
  readonly end: readonly NativeEvent[] | undefined;
}

/** Finish reasons of answers that were cut off. */
const CUT_REASONS: ReadonlySet<string> = new Set(["length", "content_filter"]);

export class Choice {
  readonly #parts: ChoiceParts;
  #isEndedEarly = false;
  #hasRole = false;
  /** Whether a call arrived before any role, and no note about it was sent yet. */
  #lacksRole = false;

  /** @param parts the stages, all of them new */
  constructor(parts: ChoiceParts) {
    this.#parts = parts;
  }

  get isEnded(): boolean {
    return this.#parts.finishFilter.isEnded;
  }

  /** Whether the choice ended before its upstream ended it, because the client accepts nothing more. */
  get isEndedEarly(): boolean {
    return this.#isEndedEarly;
  }

  get hasCall(): boolean {
    return this.#parts.finishFilter.hasCall;
  }

  get hasOwnCalls(): boolean {
    return this.#parts.reader.hasCalls;
  }

  /** Whether a call was sent to the client in part, and broke off. */
  get hasBrokenCall(): boolean {
    return this.#parts.finishFilter.hasBrokenCall;
  }

  get failure(): FailureEvent | undefined {
    return this.#parts.writer.failure;
  }

  /** Whether the next message decides if this one can be sent unchanged. */
  get isUncertain(): boolean {
    return this.#parts.reader.isUncertain;
  }

  /** Reads the upstream's own calls in a message. The message can be held after this, so nothing is passed on yet. */
  readCalls(input: ChoiceInput): CallEvents | undefined {
    const { reader, hasTextCalls } = this.#parts;
    this.#hasRole ||= Boolean(input.role);
    const hasDelta = input.toolCalls != null || input.functionCall != null;
    if (this.#isEndedEarly || (!hasDelta && !(input.reason !== null && reader.hasCalls))) return undefined;
    const delta = hasDelta ? reader.read(input) : undefined;
    if (!this.#hasRole && !hasTextCalls && delta?.some(isStart)) {
      this.#hasRole = this.#lacksRole = true;
      reader.rewrite();
    }
    return { delta, end: input.reason === null ? undefined : reader.end({ isCut: isCut(input.reason) }) };
  }

  /** From here on, writes the upstream's own calls from their events instead of the raw messages. */
  rewriteCalls(): void {
    this.#parts.reader.rewrite();
  }

  /** Takes a message; returns the new content of the choice, or undefined if it stays unchanged. */
  *take(input: ChoiceInput, calls: CallEvents | undefined): Work<ChoiceOutcome | undefined> {
    this.#begin(calls);
    if (!this.#isEndedEarly) yield* this.#takeMessage(input, calls);
    return this.#parts.writer.end();
  }

  /** Takes a message that contains nothing but text or reasoning. If reading pauses, `resume` must follow. */
  takeProse(event: ProseEvent): ChoiceOutcome | undefined {
    const { writer, first } = this.#parts;
    writer.begin();
    writer.expect(event);
    first.push(event);
    this.#endEarly();
    return writer.end();
  }

  /** Whether reading a text paused. */
  get isBehind(): boolean {
    return this.#parts.texts.isBehind === true;
  }

  /** Reads the rest of a text after a pause; returns what follows the message that contained it. */
  *resume(): Work<ChoiceOutcome | undefined> {
    const { writer } = this.#parts;
    writer.begin();
    yield* this.#catchUp();
    this.#endEarly();
    return writer.end();
  }

  /** Takes the only message of an answer that isn't streamed, and ends the choice. */
  *takeWhole(input: ChoiceInput): Work<ChoiceOutcome | undefined> {
    const { delta, end = this.endCalls({ truncated: false }) } = this.readCalls(input) ?? {};
    this.#begin({ delta, end });
    yield* this.#takeMessage(input, { delta, end });
    if (!this.isEnded) yield* this.#finish(null, { truncated: false, end });
    return this.#parts.writer.end();
  }

  /** Ends the upstream's own calls, because its stream has ended. */
  endCalls({ truncated }: { readonly truncated: boolean }): readonly NativeEvent[] {
    return this.#parts.reader.end({ isCut: truncated });
  }

  /** Ends a choice without a finish reason, and returns what is left of it. */
  *end({ truncated, end }: EndOptions): Work<ChoiceOutcome | undefined> {
    const { writer } = this.#parts;
    writer.begin({ mustWrite: true });
    if (!this.isEnded) yield* this.#finish(null, { truncated, end });
    return writer.end();
  }

  #begin(calls: CallEvents | undefined): void {
    const { writer, reader } = this.#parts;
    const endsCalls = calls?.end?.some(({ kind }) => kind !== "note") ?? false;
    writer.begin({ mustWrite: reader.isRepaired && (calls?.delta !== undefined || endsCalls) });
  }

  *#takeMessage({ role, reasoning, text, reason }: ChoiceInput, calls?: CallEvents): Work<void> {
    if (role) this.#push({ kind: "role", role });
    if (reasoning) this.#push({ kind: "reasoning", text: reasoning });
    if (text) this.#push({ kind: "text", text });
    yield* this.#catchUp();
    if (calls?.delta !== undefined) yield* this.#pushCalls(calls.delta);
    if (reason === null) this.#endEarly();
    else yield* this.#finish(reason, { truncated: isCut(reason), end: calls?.end });
  }

  *#finish(reason: string | null, { truncated, end }: EndOptions): Work<void> {
    const isAnswered = this.#parts.reader.hasCalls;
    if (!this.isEnded) yield* this.#endText({ truncated, isAnswered });
    if (end !== undefined) yield* this.#pushCalls(end);
    this.#push({ kind: "finish", reason, truncated, isAnswered });
  }

  *#endText(end: Omit<TextEndEvent, "kind">): Work<void> {
    this.#parts.first.push({ kind: "text_end", ...end });
    yield* this.#catchUp();
  }

  *#catchUp(): Work<void> {
    const { texts, afterTexts } = this.#parts;
    while (this.isBehind) {
      yield;
      texts.resume?.(afterTexts);
    }
  }

  #endEarly(): void {
    const { renderer, last, reader } = this.#parts;
    if (!renderer.isFinished || this.isEnded) return;
    const isAnswered = reader.hasCalls;
    last.push({ kind: "finish", reason: "stop", truncated: false, isAnswered, isEarly: true });
    this.#isEndedEarly = true;
  }

  #push(event: AnswerEvent): void {
    const { writer, first } = this.#parts;
    writer.expect(event);
    // After the end of a choice, only calls and another end pass through the stages.
    if (this.isEnded && event.kind !== "finish") writer.push(event);
    else first.push(event);
  }

  *#pushCalls(calls: readonly NativeEvent[]): Work<void> {
    const { reader, writer, native, hasTextCalls } = this.#parts;
    const events = reader.choose(calls);
    // The call becomes text, so the text before it ends here.
    if (hasTextCalls && events.some(isStart)) {
      yield* this.#endText({ truncated: false, isAnswered: true });
    }
    if (this.#lacksRole) {
      this.#lacksRole = false;
      native.push({ kind: "note", reason: "role_missing", rule: NATIVE_RULE, start: 0, end: 0 });
    }
    for (const event of events) {
      // A note ends before the writer.
      if (event.kind !== "note") writer.expect(event);
      native.push(event);
    }
  }
}

interface EndOptions {
  readonly truncated: boolean;
  readonly end: readonly NativeEvent[] | undefined;
}

function isStart({ kind }: { readonly kind: string }): boolean {
  return kind === "call_start";
}

function isCut(reason: string): boolean {
  return CUT_REASONS.has(reason);
}

export function inputOf(
  message: ChoiceDelta | ChatMessage | null | undefined,
  reason: string | null | undefined,
): ChoiceInput {
  return {
    text: contentText(message?.content),
    reasoning: reasoningText(message),
    role: message?.role,
    toolCalls: message?.tool_calls,
    functionCall: message?.function_call,
    // Some servers write "" while the choice continues.
    reason: reason || null,
  };
}
