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
import { inputOf } from "./choice.ts";
import { Choices } from "./choices.ts";
import { Output } from "./output.ts";
import { Shortcut } from "./shortcut.ts";
import type { AnswerOptions } from "./pipeline.ts";
import { type Waiting, WaitingMessages } from "./waiting.ts";
import { finish, type Work } from "./work.ts";

/** How a stream ended that did not end well. */
export interface Failure {
  /** The error for the client. */
  readonly error: Omit<FailureEvent, "kind">;
}

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
  readonly #waiting = new WaitingMessages();
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
    return finish(this.read(bytes));
  }

  /** The same with pauses. */
  *read(bytes: Uint8Array): Work<Uint8Array<ArrayBuffer>> {
    const { text, isExact } = this.#decoder.decode(bytes);
    const written = yield* this.#readText(text);
    return written === undefined && isExact ? copyBytes(bytes) : encodeText(written ?? text);
  }

  /** What the client gets for a text; undefined: the same text. */
  *#readText(text: string): Work<string | undefined> {
    const output = new Output(text);
    let at = 0;
    while (at < text.length && !this.#isOver) {
      const from = at;
      at = this.#takeShortcut(text, at);
      if (at >= 0) {
        const written = this.#shortcut?.written;
        const rest = yield* this.#readOn();
        if (written === undefined && rest === "") continue;
        const by = (written ?? text.slice(from, at)) + rest;
        output.replace({ from, to: at, by: by + this.#stop() });
      } else {
        const messageEnd = this.#shortcut?.messageEnd ?? "\n\n";
        const end = text.indexOf(messageEnd, from);
        at = end < 0 ? text.length : end + messageEnd.length;
        const piece = text.slice(from, at);
        const by = yield* this.#readPiece(piece);
        if (by !== piece) output.replace({ from, to: at, by });
      }
    }
    const rest = this.#shortcut?.flush() ?? "";
    if (rest !== "") output.replace({ from: at, to: at, by: rest });
    return output.end(at);
  }

  #takeShortcut(text: string, at: number): number {
    const canShorten = this.#decoder.isBetween && this.#waiting.isEmpty && !this.#isLate;
    return canShorten ? this.#shortcut?.take(text, at) ?? -1 : -1;
  }

  /** What follows a message of the shortcut in whose text reading paused. */
  *#readOn(): Work<string> {
    const behind = this.#choices.behind;
    if (behind === undefined) return "";
    const [index, choice] = behind;
    return encode(this.#writer.continue(index, yield* choice.readOn()));
  }

  *#readPiece(piece: string): Work<string> {
    let text = this.#shortcut?.flush() ?? "";
    for (const message of this.#decoder.read(piece)) text += yield* this.#take(message);
    return text;
  }

  /** The upstream's stream is over, or broke off: gives the rest. */
  end(failure?: Failure): Uint8Array<ArrayBuffer> {
    return finish(this.readEnd(failure));
  }

  /** The same with pauses. */
  *readEnd(failure?: Failure): Work<Uint8Array<ArrayBuffer>> {
    return encodeText(yield* this.#end(failure));
  }

  *#end(failure: Failure | undefined): Work<string> {
    let rest = "";
    const last = failure === undefined ? this.#decoder.end() : this.#decoder.breakOff();
    for (const message of last) rest += yield* this.#take(message);
    if (this.#isOver) return rest;
    this.#isOver = true;
    if (this.#isLate) return rest + this.#ending;
    const { text, hasFinish } = yield* this.#close({ truncated: true });
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

  *#take(message: SseMessage): Work<string> {
    if (this.#isOver) return "";
    if (this.#isJudged || this.#isLate) return this.#awaitUsage(message);
    const text = yield* this.#read(message);
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

  *#read(message: SseMessage): Work<string> {
    if (message.data === DONE_DATA) {
      this.#isDone = true;
      const { text } = yield* this.#close({ truncated: false });
      return text + (this.#breakOff() ?? message.raw);
    }
    const chunk = message.data === undefined ? undefined : readChunk(message.data);
    if (chunk === undefined) return this.#waiting.isEmpty ? message.raw : yield* this.#hold({ message });
    if (chunk.usage != null) this.#writer.push({ kind: "usage", usage: chunk.usage });
    const inputs = chunk.choices.map(inputOf);
    const words = chunk.choices.map((choice, at) =>
      this.#choices.at(choice.index ?? 0)?.readCalls(inputs[at]!)
    );
    const read = { message, chunk, inputs, words };
    if (this.#choices.isUncertain) return yield* this.#hold(read);
    const text = (yield* this.#release()) + (yield* this.#write(read));
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

  *#write({ message, chunk, inputs = [], words = [] }: Waiting): Work<string> {
    if (chunk === undefined) return message.raw;
    const outcomes: (ChoiceOutcome | undefined)[] = [];
    for (const [at, { index }] of chunk.choices.entries()) {
      const choice = this.#choices.at(index ?? 0);
      outcomes.push(choice && (yield* choice.take(inputs[at]!, words[at])));
    }
    const written = this.#writer.write(chunk, outcomes);
    return written === undefined ? message.raw : encode(written, message.event);
  }

  /** Ends every choice whose upstream did not. */
  *#close(options: { truncated: boolean }): Work<{ text: string; hasFinish: boolean }> {
    const { open } = this.#choices;
    const ends = open.map(([_, choice]) => choice.readEnd(options));
    let text = yield* this.#release();
    let hasFinish = false;
    for (const [at, [index, choice]] of open.entries()) {
      const outcome = yield* choice.end({ ...options, end: ends[at] });
      hasFinish ||= outcome?.finishReason != null;
      text += encode(this.#writer.continue(index, outcome));
    }
    return { text, hasFinish };
  }

  *#hold(waiting: Waiting): Work<string> {
    if (this.#waiting.add(waiting)) return "";
    this.#choices.rewriteUncertain();
    return yield* this.#release();
  }

  /** What waited leaves: as it came, or repaired from the first message on. */
  *#release(): Work<string> {
    let text = "";
    for (const one of this.#waiting.take()) text += yield* this.#write(one);
    return text;
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
