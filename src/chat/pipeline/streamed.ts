/** One streamed answer: reads the upstream's bytes and returns the client's text. @module */
import type { AnswerSink } from "../event/stage.ts";
import type { FailureEvent } from "../event/event.ts";
import { type ApiError, errorOf, UPSTREAM_ERROR } from "../message/error.ts";
import type { ChatChunk } from "../message/chunk.ts";
import { DONE_DATA, readChunk } from "../message/read.ts";
import type { ChoiceOutcome } from "../message/write.ts";
import { addUsage, statedUsage } from "../message/usage.ts";
import { ChatWriter } from "../message/writer.ts";
import { NATIVE_RULE } from "../native/call.ts";
import { parseJson } from "../../engine/object/parse.ts";
import { SseDecoder, type SseMessage } from "../sse/decode.ts";
import { DONE, encodeMessage } from "../sse/encode.ts";
import { encodeText } from "../sse/utf8_encoder.ts";
import { type ChoicePart, Choices } from "./choices.ts";
import type { AnswerOptions } from "./pipeline.ts";
import { finish, type Work } from "./work.ts";

/** What is lost of an answer that ends with calls and has none. */
export const DROPPED_CALLS: ApiError = {
  type: "upstream_error",
  code: "upstream_error",
  message: "The upstream's finish reason announces calls, but its own parser dropped them",
};

export interface RecoveredAnswer {
  readonly identity?: Readonly<Record<string, unknown>> | undefined;
  readonly reasoning?: string | undefined;
  readonly text: string;
  readonly finish: string;
  readonly usage?: unknown;
}

/** A message with a chunk, or one that is sent unchanged. */
interface ParsedMessage {
  readonly message: SseMessage;
  readonly chunk?: ChatChunk;
  readonly parts?: readonly ChoicePart[];
}

export interface Failure {
  readonly error: Omit<FailureEvent, "kind">;
}

/**
 *     reading ──▶ over
 *        ╰──▶ awaiting_usage ──▶ over
 *
 * An answer that ends before its upstream ends it awaits the token counts if they are needed. Nothing else that the
 * upstream sends is read after that.
 */
type State = "reading" | "awaiting_usage" | "over";

/** The error of a stream that ends before its answer does. */
const BROKEN: ApiError = {
  type: "upstream_error",
  code: "upstream_broke_off",
  message: "The upstream's answer was cut off before its end. Send the request again",
};

/** The error of an upstream that sends an empty chunk in its place. */
const SWALLOWED: ApiError = {
  type: "upstream_error",
  code: UPSTREAM_ERROR,
  message:
    "The server's own parser failed on the model's answer, and the server sent nothing more. Send the request again",
};

/** The error of a stream with a message that can't be read: a call without what that has would be another call. */
const DAMAGED: ApiError = {
  type: "upstream_error",
  code: "upstream_unreadable",
  message:
    "A message in the upstream's stream can't be parsed: it isn't JSON, or is too long or nested too deeply. Send the request again",
};

/** The most characters to read until the token counts arrive. */
const USAGE_DISTANCE_MAXIMUM = 256 * 1024;

/** The longest text of messages that are held, in characters. */
const HELD_MAXIMUM = 64 * 1024;

/** The number of characters of a burst of messages after which reading can pause. */
const BURST_LENGTH = 2048;

export class StreamedAnswer {
  readonly #options: AnswerOptions;
  readonly #decoder = new SseDecoder();
  readonly #writer: ChatWriter;
  readonly #choices: Choices;
  /** Writes the answer for a client of another wire. The text that this class gives then counts for nothing. */
  readonly #sink: AnswerSink | undefined;
  #state: State = "reading";
  #isDone = false;
  #upstreamError: ApiError | undefined;
  /** The error with which the stream ended before its answer. */
  #broken: ApiError | undefined;
  /** The error after which the answer can be recovered, and the message with it. */
  #lost: { readonly error: ApiError; readonly raw: string } | undefined;
  /** The messages with arguments whose repair depends on the next message, and the length of their text. */
  #held: ParsedMessage[] = [];
  #heldLength = 0;
  #timings: unknown;
  #usageDistance = 0;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#choices = new Choices(options);
    this.#sink = options.sink;
    this.#writer = new ChatWriter({ ...options.native, spent: options.spent });
  }

  /** Whether the client has its whole answer. The rest of the upstream's stream isn't needed. */
  get isOver(): boolean {
    return this.#state === "over" || this.#lost !== undefined;
  }

  /** The error that ended the answer before its end; it can be recovered. */
  get lost(): ApiError | undefined {
    return this.#lost?.error;
  }

  /** The fields that name the answer in each of its messages. */
  get identity(): Readonly<Record<string, unknown>> {
    return this.#writer.identity;
  }

  get hasOwnCalls(): boolean {
    return this.#choices.hasOwnCalls;
  }

  /** The upstream's token counts; null if it sent none. */
  get usage(): unknown {
    return this.#writer.usage;
  }

  /** The same, or what the upstream states of its work in their place. */
  get statedUsage(): unknown {
    return statedUsage({ usage: this.usage ?? undefined, timings: this.#timings });
  }

  get errorCode(): string | undefined {
    const failure = this.#choices.failure ?? this.#broken;
    return failure?.code ?? (this.#upstreamError === undefined ? this.#sink?.errorCode : undefined);
  }

  /** Whether the client's connection has to break, so that the client asks again. */
  get mustBreak(): boolean {
    return this.#sink?.mustBreak ?? false;
  }

  /** The first error that the upstream sent as a message of its stream, which goes on to the client. */
  get upstreamError(): ApiError | undefined {
    return this.#upstreamError;
  }

  /** Reads the upstream's next bytes and returns the client's, which can be empty. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    return encodeText(finish(this.read(bytes)));
  }

  /** Does the same with pauses; returns the bytes' text. */
  *read(bytes: Uint8Array): Work<string> {
    let text = "";
    let length = 0;
    for (const message of this.#decoder.push(bytes)) {
      if (this.isOver) break;
      if (length >= BURST_LENGTH) {
        length = 0;
        if (this.#options.isPauseDue?.()) yield;
      }
      length += message.raw.length;
      text += yield* this.#take(message);
    }
    return this.#given(text + encode(this.#writer.flush()));
  }

  /** What the client gets for a text: a client of another wire gets what its own writer has. */
  #given(written: string): string {
    if (this.#sink === undefined) return written;
    if (this.#sink.isOver && !this.#isDone) this.#state = "over";
    return this.#sink.take();
  }

  /** Ends the answer, because the upstream's stream has ended or failed, and returns the client's last bytes. */
  end(failure?: Failure): Uint8Array<ArrayBuffer> {
    return encodeText(finish(this.readEnd(failure)));
  }

  /** Does the same with pauses; returns the bytes' text. */
  *readEnd(failure?: Failure): Work<string> {
    return this.#given(yield* this.#end(failure));
  }

  /** Continues a lost answer with what was recovered of it, and ends it; without that, with its error. */
  *readRecovered(recovered: RecoveredAnswer | undefined): Work<string> {
    const lost = this.#lost;
    this.#lost = undefined;
    let text = "";
    if (recovered !== undefined) text = yield* this.#continue(recovered);
    else if (lost !== undefined) text = yield* this.#endWithError(lost.error, lost.raw);
    return this.#given(text);
  }

  /** Ends an answer whose end was held, as its upstream ended it. */
  *readHeldEnd(finish: string): Work<string> {
    this.#state = "reading";
    this.#isDone = false;
    return this.#given(yield* this.#continue({ text: "", finish }));
  }

  *#continue({ identity, reasoning, text, finish, usage }: RecoveredAnswer): Work<string> {
    const { id, created, model } = identity ?? {};
    const message = (delta: unknown, reason: string | null): SseMessage => {
      const choices = [{ index: 0, delta, finish_reason: reason }];
      const own = { id, created, model, object: "chat.completion.chunk" };
      const data = JSON.stringify({ ...own, ...this.#writer.identity, choices });
      return { raw: encodeMessage(data), data };
    };
    let written = "";
    if (reasoning) {
      written += yield* this.#take(
        message({ [this.#options.reasoningField ?? "reasoning_content"]: reasoning }, null),
      );
    }
    if (text !== "") written += yield* this.#take(message({ content: text }, null));
    if (usage != null) this.#count(usage);
    written += yield* this.#take(message({}, finish));
    if (this.#isStopped || this.isOver) return written;
    if (this.#options.wantsUsage === true) written += encode(this.#writer.writeUsage());
    written += yield* this.#take({ raw: DONE, data: DONE_DATA });
    return written + (yield* this.#end(undefined));
  }

  *#end(failure: Failure | undefined): Work<string> {
    let rest = "";
    const left = failure === undefined ? this.#decoder.end() : this.#decoder.breakOff();
    const last = failure === undefined ? left.filter(isReadable) : left;
    const isCut = last.length < left.length;
    for (const message of last) rest += yield* this.#take(message);
    const state = this.#state;
    this.#state = "over";
    if (state === "awaiting_usage") return this.#isStopped ? rest : rest + this.#finishEarly();
    if (state === "over") return rest;
    const isEndedByUpstream = this.#choices.areEnded;
    const text = yield* this.#close({ truncated: true });
    // A message without its blank line must not run into the next one.
    const append = (more: string) => more === "" || isWhole(rest) ? rest + more : `${rest}\n\n${more}`;
    if (this.#isStopped) return this.#options.held?.() === undefined ? rest : append(text);
    if (this.#isDone) return append(text);
    const { isEndedWithCall, hasBrokenCall } = this.#choices;
    const isOver = isEndedByUpstream || (isEndedWithCall && !hasBrokenCall && !isCut);
    if (failure === undefined && this.#choices.failure === undefined) {
      if (this.#upstreamError !== undefined) {
        this.#sink?.fail(this.#upstreamError);
        return append(text);
      }
      if (isOver) return append(text + this.#endWithoutDone());
      this.#broken = this.#options.broken ?? BROKEN;
    }
    return append(text + this.#fail(failure?.error ?? this.#choices.failure ?? this.#broken ?? BROKEN));
  }

  /** Ends an answer whose upstream left out the message that ends a stream. A client of calls needs it. */
  #endWithoutDone(): string {
    this.#sink?.finish();
    if (!this.#choices.isEndedWithCall) return "";
    this.#noteMissingDone();
    return DONE;
  }

  #fail(error: ApiError): string {
    this.#sink?.fail(error);
    return encodeMessage(this.#writer.writeError(error));
  }

  *#take(message: SseMessage): Work<string> {
    if (this.isOver) return "";
    if (this.#state === "awaiting_usage") return this.#awaitUsage(message);
    const text = yield* this.#read(message);
    if (!this.#isStopped) return text;
    const held = this.#options.held?.();
    if (held === "now") {
      this.#state = "over";
      return text;
    }
    // A whole answer costs tokens even if a plugin stops it.
    const isEnded = this.#choices.isEnded || held === "end";
    const needsUsage = isEnded && !this.#isDone && this.usage === null;
    this.#state = needsUsage ? "awaiting_usage" : "over";
    return held === undefined ? "" : text;
  }

  #awaitUsage({ data, raw }: SseMessage): string {
    const usage = data === undefined ? undefined : readChunk(data)?.usage;
    if (usage != null) this.#count(usage);
    this.#usageDistance += raw.length;
    const isOver = data === DONE_DATA || this.usage !== null || this.#usageDistance > USAGE_DISTANCE_MAXIMUM;
    if (!isOver) return "";
    this.#state = "over";
    return this.#isStopped ? "" : this.#finishEarly();
  }

  *#read(message: SseMessage): Work<string> {
    if (message.data === DONE_DATA) {
      this.#isDone = true;
      const text = yield* this.#close({ truncated: false });
      if (this.#options.held?.() !== undefined) return text;
      return text + (this.#endWithFailure() ?? this.#finish(message));
    }
    const chunk = message.data === undefined ? undefined : readChunk(message.data);
    if (chunk === undefined || chunk["error"] != null) {
      const error = errorOf(message.data ?? "", message.event);
      if (error !== undefined && this.#options.isLost?.(error) === true) {
        this.#lost = { error, raw: message.raw };
        return yield* this.#release();
      }
      const reworded = error && this.#options.reword?.(error);
      this.#upstreamError ??= reworded ?? error;
      // A message with choices can be an ordinary part of the answer; another one ends it.
      if (reworded !== undefined && chunk === undefined) {
        return yield* this.#endWithError(reworded, encodeMessage(this.#writer.writeError(reworded)));
      }
      if (error !== undefined && chunk === undefined) return yield* this.#endWithError(error, message.raw);
    }
    if (chunk !== undefined && this.#options.isSwallowed?.(chunk) === true) {
      return yield* this.#endWithError(SWALLOWED, encodeMessage(this.#writer.writeError(SWALLOWED)));
    }
    if (chunk === undefined && isDamaged(message)) {
      return yield* this.#breakOff(DAMAGED);
    }
    if (chunk === undefined) {
      return yield* this.#held.length === 0 ? this.#write({ message }) : this.#hold({ message });
    }
    if (chunk.usage != null) this.#count(chunk.usage);
    this.#timings = chunk["timings"] ?? this.#timings;
    if (this.#options.isDropped?.(chunk) === true) {
      const text = yield* this.#readText(chunk);
      this.#lost = { error: DROPPED_CALLS, raw: message.raw };
      return text + (yield* this.#release());
    }
    const parsed = { message, chunk, parts: this.#choices.read(chunk) };
    if (this.#choices.isUncertain) return yield* this.#hold(parsed);
    const before = this.#held.length === 0 ? "" : yield* this.#release();
    return before + (yield* this.#write(parsed)) + this.#endIfPossible();
  }

  /** Reads the text of a chunk whose calls and end don't count. */
  *#readText({ choices: [choice], ...chunk }: ChatChunk): Work<string> {
    const content = choice?.delta?.content;
    if (!content) return "";
    const choices = [{ index: choice.index ?? 0, delta: { content }, finish_reason: null }];
    const data = JSON.stringify({ ...chunk, choices });
    return yield* this.#read({ raw: encodeMessage(data), data });
  }

  /** Ends the answer with an error of the upstream. Nothing after it, or just before it, looks like a good end. */
  *#endWithError(error: ApiError, raw: string): Work<string> {
    this.#upstreamError ??= error;
    const text = yield* this.#close({ truncated: true, isFailed: true });
    this.#state = "over";
    this.#sink?.fail(error);
    return text + raw;
  }

  /** Ends the answer with an error of ours, because nothing can be made of the rest of the stream. */
  *#breakOff(error: ApiError): Work<string> {
    const text = yield* this.#close({ truncated: true, isFailed: true });
    this.#state = "over";
    this.#broken = error;
    return text + this.#fail(error);
  }

  /** The upstream ended its answer. An error that it sent before that is the end for a client of another wire. */
  #finish({ raw }: SseMessage): string {
    if (this.#upstreamError === undefined) this.#sink?.finish();
    else this.#sink?.fail(this.#upstreamError);
    return raw;
  }

  #count(usage: unknown): void {
    this.#writer.push({ kind: "usage", usage });
    this.#sink?.push({ kind: "usage", usage: addUsage(this.#options.spent, usage) });
  }

  /** Ends the answer if a choice failed or the client accepts nothing more. */
  #endIfPossible(): string {
    return this.#endWithFailure() ?? (this.#choices.isEndedEarly ? this.#endEarly() : "");
  }

  /** Ends the answer with the error of a call that failed after a part of it was sent. */
  #endWithFailure(): string | undefined {
    const { failure } = this.#choices;
    if (failure === undefined) return undefined;
    this.#state = "over";
    return encode(this.#writer.flush()) + this.#fail(failure);
  }

  #endEarly(): string {
    const text = encode(this.#writer.flush());
    const needsUsage = this.#options.wantsUsage === true && this.usage === null;
    this.#state = needsUsage ? "awaiting_usage" : "over";
    return needsUsage ? text : text + this.#finishEarly();
  }

  #finishEarly(): string {
    this.#sink?.finish();
    return encode(this.#writer.writeUsage()) + DONE;
  }

  *#write({ message, chunk, parts = [] }: ParsedMessage): Work<string> {
    if (chunk === undefined) return encode(this.#writer.flush()) + message.raw;
    const outcomes: (ChoiceOutcome | undefined)[] = [];
    for (const { choice, input, calls } of parts) outcomes.push(choice && (yield* choice.take(input, calls)));
    if (this.#options.held?.() === "end") {
      const kept = this.#writer.writeWithoutEnd(chunk, outcomes);
      return encode(this.#writer.flush()) + encode(kept, message.event);
    }
    // A plugin can stop the answer at any event of a message; the message is then not sent.
    const canWait = message.event === undefined && this.#options.isStopped === undefined;
    if (canWait && this.#writer.join(chunk, outcomes)) return "";
    const written = this.#writer.write(chunk, outcomes);
    if (written?.length === 0) return "";
    const before = encode(this.#writer.flush());
    return before + (written === undefined ? message.raw : encode(written, message.event));
  }

  /** Ends every choice that its upstream didn't end. */
  *#close({ isFailed = false, ...options }: { truncated: boolean; isFailed?: boolean }): Work<string> {
    const { open } = this.#choices;
    const ends = open.map(([_, choice]) => choice.endCalls(options));
    let text = (yield* this.#release()) + encode(this.#writer.flush());
    for (const [at, [index, choice]] of open.entries()) {
      const outcome = choice.end({ ...options, end: ends[at] });
      const last = isFailed && outcome !== undefined ? { ...outcome, finishReason: null } : outcome;
      text += encode(this.#writer.continue(index, last));
    }
    return text;
  }

  *#hold(parsed: ParsedMessage): Work<string> {
    this.#held.push(parsed);
    this.#heldLength += parsed.message.raw.length;
    if (this.#heldLength <= HELD_MAXIMUM) return "";
    this.#choices.rewriteUncertain();
    return yield* this.#release();
  }

  /** The held messages: unchanged, or repaired from the first one on. */
  *#release(): Work<string> {
    const held = this.#held;
    this.#held = [];
    this.#heldLength = 0;
    let text = "";
    for (const parsed of held) text += yield* this.#write(parsed);
    return text;
  }

  get #isStopped(): boolean {
    return (this.#options.isStopped?.() ?? false) || this.#options.held?.() !== undefined;
  }

  #noteMissingDone(): void {
    const note = { kind: "note", reason: "done_missing", rule: NATIVE_RULE, start: 0, end: 0 } as const;
    this.#options.listener?.event(note, { choice: 0, isSent: false });
  }
}

function encode(messages: readonly string[], event?: string): string {
  let text = "";
  for (const data of messages) text += encodeMessage(data, event);
  return text;
}

/** Whether a message that may lack its end can be read: what is only a part of one must not reach the client. */
function isReadable({ raw, data, overLimit }: SseMessage): boolean {
  if (overLimit || isWhole(raw)) return true;
  return data === DONE_DATA || (data !== undefined && parseJson(data) !== undefined);
}

/** Whether a message begins as a chunk does, and can't be read. */
function isDamaged({ data, overLimit }: SseMessage): boolean {
  return overLimit === true || (data?.startsWith("{") === true && parseJson(data) === undefined);
}

/** Whether a text ends with a blank line or is empty. */
function isWhole(messages: string): boolean {
  return messages === "" || ["\n\n", "\r\n\r\n", "\r\r"].some((end) => messages.endsWith(end));
}
