/** One choice of an answer: turns its messages into events and passes them to its stages. @module */
import type { AnswerEvent, FailureEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import type { ChatMessage, ChoiceDelta } from "../message/chunk.ts";
import { contentText, reasoningText } from "../message/read.ts";
import type { ChoiceOutcome } from "../message/write.ts";
import { isHighSurrogate } from "../../engine/json/escape.ts";
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
  /** The first stage for the upstream's own calls, after the matcher. */
  readonly native: Sink;
  /** The first stage for an early end, after the plugins. */
  readonly last: Sink;
  readonly finishFilter: FinishFilter;
  readonly renderer: Renderer;
  readonly writer: ChoiceOutput;
  readonly isPauseDue: () => boolean;
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

/** The length of the slices in which a long text is read, so that other requests get their turn in between. */
const SLICE_LENGTH = 2048;

/** Finish reasons of answers that were cut off. */
const CUT_REASONS: ReadonlySet<string> = new Set(["length", "content_filter"]);

export class Choice {
  readonly #parts: ChoiceParts;
  readonly #read: AnswerEvent[] = [];
  #mustWrite = false;
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
    return this.#written();
  }

  /** Takes the only message of an answer that isn't streamed, and ends the choice. */
  *takeWhole(input: ChoiceInput): Work<ChoiceOutcome | undefined> {
    const { delta, end = this.endCalls({ truncated: false }) } = this.readCalls(input) ?? {};
    this.#begin({ delta, end });
    yield* this.#takeMessage(input, { delta, end });
    if (!this.isEnded) this.#finish(null, { truncated: false, end });
    return this.#written();
  }

  /** Ends the upstream's own calls, because its stream has ended. */
  endCalls({ truncated }: { readonly truncated: boolean }): readonly NativeEvent[] {
    return this.#parts.reader.end({ isCut: truncated });
  }

  /** Ends a choice without a finish reason, and returns what is left of it. */
  end({ truncated, end }: EndOptions): ChoiceOutcome | undefined {
    this.#mustWrite = true;
    if (!this.isEnded) this.#finish(null, { truncated, end });
    return this.#written();
  }

  #begin(calls: CallEvents | undefined): void {
    const endsCalls = calls?.end?.some(({ kind }) => kind !== "note") ?? false;
    this.#mustWrite = this.#parts.reader.isRepaired && (calls?.delta !== undefined || endsCalls);
  }

  #written(): ChoiceOutcome | undefined {
    const outcome = this.#parts.writer.end(this.#read, { mustWrite: this.#mustWrite });
    this.#read.length = 0;
    return outcome;
  }

  *#takeMessage({ role, reasoning, text, reason }: ChoiceInput, calls?: CallEvents): Work<void> {
    if (role) this.#push({ kind: "role", role });
    if (reasoning) yield* this.#pushText("reasoning", reasoning);
    if (text) yield* this.#pushText("text", text);
    if (calls?.delta !== undefined) this.#pushCalls(calls.delta);
    if (reason === null) this.#endEarly();
    else this.#finish(reason, { truncated: isCut(reason), end: calls?.end });
  }

  *#pushText(kind: "text" | "reasoning", text: string): Work<void> {
    for (let from = 0; from < text.length;) {
      if (from > 0 && this.#parts.isPauseDue()) yield;
      const end = Math.min(from + SLICE_LENGTH, text.length);
      const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
      this.#push({ kind, text: text.slice(from, to) });
      from = to;
    }
  }

  #finish(reason: string | null, { truncated, end }: EndOptions): void {
    const isAnswered = this.#parts.reader.hasCalls;
    if (!this.isEnded) this.#parts.first.push({ kind: "text_end", truncated, isAnswered });
    if (end !== undefined) this.#pushCalls(end);
    this.#push({ kind: "finish", reason, truncated, isAnswered });
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
    this.#read.push(event);
    // After the end of a choice, only calls and another end pass through the stages.
    if (this.isEnded && event.kind !== "finish") writer.push(event);
    else first.push(event);
  }

  #pushCalls(calls: readonly NativeEvent[]): void {
    const { reader, first, native, hasTextCalls } = this.#parts;
    const events = reader.choose(calls);
    // The call becomes text, so the text before it ends here.
    if (hasTextCalls && events.some(isStart)) {
      first.push({ kind: "text_end", truncated: false, isAnswered: true });
    }
    if (this.#lacksRole) {
      this.#lacksRole = false;
      native.push({ kind: "note", reason: "role_missing", rule: NATIVE_RULE, start: 0, end: 0 });
    }
    for (const event of events) {
      // A note ends before the writer.
      if (event.kind !== "note") this.#read.push(event);
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
