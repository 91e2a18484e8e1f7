/**
 * One streamed answer: the upstream's bytes go in, the client's come out.
 *
 * @module
 */
import type { ChatChunk } from "../chat/chunk.ts";
import { DONE_DATA, readChunk } from "../chat/read.ts";
import type { ChoiceOutcome } from "../chat/write.ts";
import { ChatWriter } from "../chat/writer.ts";
import type { FailureEvent } from "../event/event.ts";
import { NATIVE_RULE } from "../native/call.ts";
import { SseDecoder, type SseMessage } from "../sse/decode.ts";
import { DONE, encodeMessage } from "../sse/encode.ts";
import { copyBytes, encodeText } from "../sse/slab.ts";
import { type CallWords, type ChoiceInput, inputOf } from "./choice.ts";
import { Choices } from "./choices.ts";
import { Output } from "./output.ts";
import { Shortcut } from "./shortcut.ts";
import type { AnswerOptions } from "./pipeline.ts";

/** How a stream ended that did not end well. */
export interface Failure {
  /** The error for the client. */
  readonly error: Omit<FailureEvent, "kind">;
}

/** A message on hold, or one that is not a chunk. */
interface Waiting {
  readonly message: SseMessage;
  readonly chunk?: ChatChunk;
  readonly inputs?: readonly ChoiceInput[];
  readonly words?: readonly (CallWords | undefined)[];
}

/** Messages of more characters do not wait any longer. */
const WAITING_MAXIMUM = 64 * 1024;

/** An upstream that says more than so many characters after the end of the answer is not awaited any longer. */
const LATE_MAXIMUM = 256 * 1024;

/** The state of one streamed answer. */
export class StreamedAnswer {
  readonly #options: AnswerOptions;
  readonly #decoder = new SseDecoder();
  readonly #writer: ChatWriter;
  readonly #shortcut: Shortcut | undefined;
  readonly #choices: Choices;
  /** Messages whose last word on some arguments depends on what comes next. */
  #waiting: Waiting[] = [];
  #waitingLength = 0;
  #isOver = false;
  #isDone = false;
  /** Whether the answer was stopped at its end, and only its usage is still awaited. */
  #isJudged = false;
  /** Whether the client has its answer, and only the usage is still awaited: so many characters came since. */
  #isLate = false;
  #lateLength = 0;

  /** @param options what makes the stages of the answer's choices */
  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#choices = new Choices(options);
    this.#writer = new ChatWriter({ ...options.native, spent: options.spent });
    // A plugin may stop the answer at any event; what came of the message is then not sent.
    const takesShortcut = options.isStopped === undefined && options.takesShortcut !== false;
    this.#shortcut = takesShortcut ? new Shortcut() : undefined;
  }

  /** True once the client has its whole answer: the upstream need not be read any further. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The upstream's token counts; null when it gave none. */
  get usage(): unknown {
    return this.#writer.usage;
  }

  /** The code of the error with which the answer ended by itself. */
  get errorCode(): string | undefined {
    return this.#choices.failure?.code;
  }

  /** How many messages took the shortcut. */
  get shortcuts(): number {
    return this.#shortcut?.count ?? 0;
  }

  /** Takes the next bytes of the upstream and gives what the client gets now, perhaps nothing. */
  push(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const { text, isExact } = this.#decoder.decode(bytes);
    const written = this.#readText(text);
    return written === undefined && isExact ? copyBytes(bytes) : encodeText(written ?? text);
  }

  /** What the client gets for a text; undefined: the same text. */
  #readText(text: string): string | undefined {
    const output = new Output(text);
    let at = 0;
    while (at < text.length && !this.#isOver) {
      const from = at;
      at = this.#takeShortcut(text, at);
      if (at >= 0) {
        const by = this.#shortcut?.written;
        if (by === undefined) continue;
        output.replace({ from, to: at, by: by + this.#stop() });
      } else {
        const messageEnd = this.#shortcut?.messageEnd ?? "\n\n";
        const end = text.indexOf(messageEnd, from);
        at = end < 0 ? text.length : end + messageEnd.length;
        const piece = text.slice(from, at);
        const by = this.#readPiece(piece);
        if (by !== piece) output.replace({ from, to: at, by });
      }
    }
    const rest = this.#shortcut?.flush() ?? "";
    if (rest !== "") output.replace({ from: at, to: at, by: rest });
    return output.end(at);
  }

  #takeShortcut(text: string, at: number): number {
    const canShorten = this.#decoder.isBetween && !this.#isWaiting && !this.#isLate;
    return canShorten ? this.#shortcut?.take(text, at) ?? -1 : -1;
  }

  #readPiece(piece: string): string {
    let text = this.#shortcut?.flush() ?? "";
    for (const message of this.#decoder.read(piece)) text += this.#take(message);
    return text;
  }

  /** The upstream's stream is over, or broke off: gives the rest. */
  end(failure?: Failure): Uint8Array<ArrayBuffer> {
    return encodeText(this.#end(failure));
  }

  #end(failure: Failure | undefined): string {
    let rest = "";
    const last = failure === undefined ? this.#decoder.end() : this.#decoder.breakOff();
    for (const message of last) rest += this.#take(message);
    if (this.#isOver) return rest;
    this.#isOver = true;
    if (this.#isLate) return rest + this.#ending;
    const { text, hasFinish } = this.#close({ truncated: true });
    if (this.#isStopped) return rest;
    // A message without its blank line must not run into the next one.
    const close = (more: string) => more === "" || isWhole(rest) ? rest + more : `${rest}\n\n${more}`;
    const error = failure?.error ?? this.#choices.failure;
    if (error !== undefined && !this.#isDone) {
      return close(text + encodeMessage(this.#writer.writeError(error)));
    }
    if (this.#isDone || !(hasFinish || this.#choices.isWholeWithCall)) return close(text);
    if (!hasFinish) this.#noteMissingDone();
    return close(text + DONE);
  }

  #take(message: SseMessage): string {
    if (this.#isOver) return "";
    if (this.#isJudged || this.#isLate) return this.#awaitUsage(message);
    const text = this.#read(message);
    if (!this.#isStopped) return text;
    // An answer that was judged at its end has paid for itself: the client may still learn what it cost.
    this.#isJudged = this.#choices.isEnded && !this.#isDone && this.usage === null;
    this.#isOver = !this.#isJudged;
    return "";
  }

  #awaitUsage({ data, raw }: SseMessage): string {
    const usage = data === undefined ? undefined : readChunk(data)?.usage;
    if (usage != null) this.#writer.push({ kind: "usage", usage });
    this.#lateLength += raw.length;
    this.#isOver = data === DONE_DATA || this.usage !== null || this.#lateLength > LATE_MAXIMUM;
    return this.#isOver && this.#isLate ? this.#ending : "";
  }

  #read(message: SseMessage): string {
    if (message.data === DONE_DATA) {
      this.#isDone = true;
      const { text } = this.#close({ truncated: false });
      return text + (this.#breakOff() ?? message.raw);
    }
    const chunk = message.data === undefined ? undefined : readChunk(message.data);
    if (chunk === undefined) return this.#isWaiting ? this.#hold({ message }) : message.raw;
    if (chunk.usage != null) this.#writer.push({ kind: "usage", usage: chunk.usage });
    const inputs = chunk.choices.map(inputOf);
    const words = chunk.choices.map((choice, at) =>
      this.#choices.at(choice.index ?? 0)?.readCalls(inputs[at]!)
    );
    const read = { message, chunk, inputs, words };
    if (this.#choices.isUncertain) return this.#hold(read);
    const text = this.#release() + this.#write(read);
    const ending = this.#stop();
    if (ending === "" && !this.#isOver && !this.#isLate) this.#learn(message, chunk);
    return text + ending;
  }

  /** What ends the answer now, though its upstream may have more to say; empty: nothing does. */
  #stop(): string {
    return this.#breakOff() ?? (this.#choices.isSatisfied ? this.#endEarly() : "");
  }

  /** The error of a call that broke off after a part of it was sent. Nothing follows it. */
  #breakOff(): string | undefined {
    const { failure } = this.#choices;
    if (failure === undefined) return undefined;
    this.#isOver = true;
    return encodeMessage(this.#writer.writeError(failure));
  }

  /** Every choice has what its client can take. */
  #endEarly(): string {
    const text = this.#shortcut?.flush() ?? "";
    this.#isLate = this.#options.wantsUsage === true && this.usage === null;
    this.#isOver = !this.#isLate;
    return this.#isLate ? text : text + this.#ending;
  }

  get #ending(): string {
    return encode(this.#writer.writeUsage()) + DONE;
  }

  #learn(message: SseMessage, chunk: ChatChunk): void {
    const [only, ...others] = chunk.choices;
    const choice = only === undefined || others.length > 0 ? undefined : this.#choices.at(only.index ?? 0);
    if (only === undefined || choice === undefined || this.#shortcut === undefined) return;
    const write = (outcome: ChoiceOutcome) =>
      encode(this.#writer.write(chunk, [outcome]) ?? [], message.event);
    this.#shortcut.learn({ message, chunk, input: inputOf(only), choice, write });
  }

  #write({ message, chunk, inputs = [], words = [] }: Waiting): string {
    if (chunk === undefined) return message.raw;
    const outcomes = chunk.choices.map((choice, at) =>
      this.#choices.at(choice.index ?? 0)?.take(inputs[at]!, words[at])
    );
    const written = this.#writer.write(chunk, outcomes);
    return written === undefined ? message.raw : encode(written, message.event);
  }

  /** Ends every choice whose upstream did not. */
  #close(options: { readonly truncated: boolean }): { readonly text: string; readonly hasFinish: boolean } {
    const { open } = this.#choices;
    const ends = open.map(([_, choice]) => choice.readEnd(options));
    let text = this.#release();
    let hasFinish = false;
    open.forEach(([index, choice], at) => {
      const outcome = choice.end({ ...options, end: ends[at] });
      hasFinish ||= outcome?.finishReason != null;
      text += encode(this.#writer.continue(index, outcome));
    });
    return { text, hasFinish };
  }

  get #isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  #hold(waiting: Waiting): string {
    this.#waiting.push(waiting);
    this.#waitingLength += waiting.message.raw.length;
    if (this.#waitingLength <= WAITING_MAXIMUM) return "";
    this.#choices.rewriteUncertain();
    return this.#release();
  }

  /** What waited leaves: as it came, or repaired from the first message on. */
  #release(): string {
    if (!this.#isWaiting) return "";
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    return waiting.map((one) => this.#write(one)).join("");
  }

  get #isStopped(): boolean {
    return this.#options.isStopped?.() ?? false;
  }

  /** The upstream ended an answer with calls without the message that ends a stream. */
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

/** Whether messages end with a blank line. */
function isWhole(messages: string): boolean {
  return messages === "" || ["\n\n", "\r\n\r\n", "\r\r"].some((end) => messages.endsWith(end));
}
