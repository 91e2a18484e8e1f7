/**
 * The path of an answer, as one visible list. Read this file first.
 *
 *     upstream bytes ─▶ sse/decode ─▶ chat/read ─▶ the stages of each choice ─▶ chat/writer ─▶ client
 *
 * A message whose events reach the writer as the very objects that were read from it leaves as it came. Nothing here
 * waits, reads a clock or touches a socket: bytes go in, text comes out.
 *
 * @module
 */
import type { ChatChunk, ChunkChoice } from "../chat/chunk.ts";
import { contentText, DONE_DATA, readChunk, reasoningText } from "../chat/read.ts";
import { ChatWriter, ChoiceWriter } from "../chat/writer.ts";
import type { ErrorEvent } from "../event/event.ts";
import { connect, type Stage } from "../event/stage.ts";
import { NATIVE_RULE } from "../native/call.ts";
import { type NativeOptions, NativeReader } from "../native/reader.ts";
import type { Renderer } from "../render/renderer.ts";
import { SseDecoder, type SseMessage } from "../sse/decode.ts";
import { DONE, encodeMessage } from "../sse/encode.ts";
import { type CallWords, Choice, type ChoiceInput } from "./choice.ts";
import { Ending } from "./ending.ts";
import { JoinedCalls } from "./joined_calls.ts";
import { type Listener, Tap, type TextStage } from "./tap.ts";
import { Texts } from "./texts.ts";

/** What an answer needs on its path. */
export interface AnswerOptions {
  /** Finds the calls in one text of one choice. */
  readonly createMatcher: () => TextStage;
  /** The plugins of one choice. */
  readonly createPlugins?: (() => Stage) | undefined;
  /** Puts the calls of one choice into the client's form. */
  readonly createRenderer: () => Renderer;
  /** Observes the answer. */
  readonly listener?: Listener | undefined;
  /** Whether a plugin has stopped the answer: nothing of it is sent from here on. */
  readonly isStopped?: (() => boolean) | undefined;
  /** What is known of the request, for calls that the upstream sends itself. */
  readonly native?: NativeOptions | undefined;
  /** The usage of attempts before this one, which the client did not see; it is added to the upstream's. */
  readonly spent?: unknown;
  /** How many choices the request asks for (`n`); 1 by default. */
  readonly choiceCount?: number;
}

/** The stages of one choice, in order. */
export function createChoice(options: AnswerOptions, index: number): Choice {
  const { createMatcher, createPlugins, createRenderer, listener, native = {} } = options;
  const texts = new Texts(createMatcher);
  const joined = new JoinedCalls();
  const ending = new Ending();
  const renderer = createRenderer();
  const writer = new ChoiceWriter(native);
  const tap = listener && new Tap(listener, { choice: index, texts });

  const rendered = connect([renderer, ...(tap ? [tap.sent] : [])], writer);
  const last = connect([ending, ...(tap ? [tap.said] : [])], rendered);
  const decided = createPlugins ? connect([createPlugins()], last) : last;
  const first = connect([...(tap ? [tap.came] : []), texts, joined.text], decided);
  return new Choice({
    native: new NativeReader(native),
    isText: native.wholeCalls === true,
    first,
    joined: connect([joined.native], decided),
    last,
    ending,
    renderer,
    writer,
  });
}

/** How a stream ended that did not end well. */
export interface Failure {
  /** What to tell the client. */
  readonly error: Omit<ErrorEvent, "kind">;
  /** True: the client gets it in any case; else only when no call had to be ended for it. */
  readonly isAlwaysTold: boolean;
}

/** A message on hold, or one that is not a chunk. */
interface Waiting {
  readonly message: SseMessage;
  readonly chunk?: ChatChunk;
  readonly words?: readonly (CallWords | undefined)[];
}

/** Messages of more characters do not wait any longer. */
const WAITING_MAXIMUM = 64 * 1024;

/** The most choices of an answer that are read; those beyond pass untouched. */
const CHOICES_MAX = 128;

/** One streamed answer on its path from the upstream to the client. */
export class Pipeline {
  readonly #options: AnswerOptions;
  readonly #decoder = new SseDecoder();
  readonly #writer: ChatWriter;
  readonly #choices = new Map<number, Choice>();
  /** Messages whose last word on some arguments depends on what comes next. */
  #waiting: Waiting[] = [];
  #waitingLength = 0;
  #isOver = false;
  #isDone = false;
  /** Whether the answer was stopped at its end, and only its usage is still awaited. */
  #isJudged = false;

  /** @param options what makes the stages of the answer's choices */
  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#writer = new ChatWriter({ ...options.native, spent: options.spent });
  }

  /** True once the client has its whole answer: the upstream need not be read any further. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The upstream's token counts; null when it gave none. */
  get usage(): unknown {
    return this.#writer.usage;
  }

  /** Takes the next bytes of the upstream and gives what the client gets now, perhaps nothing. */
  push(bytes: Uint8Array): string {
    let text = "";
    for (const message of this.#decoder.push(bytes)) text += this.#take(message);
    return text;
  }

  /** The upstream's stream is over, or broke off: gives the rest. */
  end(failure?: Failure): string {
    let rest = "";
    for (const message of this.#decoder.end()) rest += this.#take(message);
    if (this.#isOver) return rest;
    this.#isOver = true;
    const { text, hasFinish } = this.#close({ truncated: true });
    if (this.#isStopped) return rest;
    if (failure !== undefined && (failure.isAlwaysTold || !hasFinish)) {
      return rest + text + encodeMessage(this.#writer.writeError(failure.error));
    }
    if (this.#isDone || !(hasFinish || this.#isWholeWithCall)) return rest + text;
    if (!hasFinish) this.#noteMissingDone();
    return rest + text + DONE;
  }

  #take(message: SseMessage): string {
    if (this.#isOver) return "";
    if (this.#isJudged) return this.#awaitUsage(message);
    const text = this.#read(message);
    if (!this.#isStopped) return text;
    // An answer that was judged at its end has paid for itself: the client may still learn what it cost.
    this.#isJudged = this.#isEnded && !this.#isDone && this.usage === null;
    this.#isOver = !this.#isJudged;
    return "";
  }

  #awaitUsage({ data }: SseMessage): string {
    const usage = data === undefined ? undefined : readChunk(data)?.usage;
    if (usage != null) this.#writer.push({ kind: "usage", usage });
    this.#isOver = data === DONE_DATA || this.usage !== null;
    return "";
  }

  #read(message: SseMessage): string {
    if (message.data === DONE_DATA) {
      this.#isDone = true;
      return this.#close({ truncated: false }).text + message.raw;
    }
    const chunk = message.data === undefined ? undefined : readChunk(message.data);
    if (chunk === undefined) return this.#isWaiting ? this.#hold({ message }) : message.raw;
    if (chunk.usage != null) this.#writer.push({ kind: "usage", usage: chunk.usage });
    const words = chunk.choices.map((choice) => this.#choice(choice)?.readCalls(inputOf(choice)));
    const read = { message, chunk, words };
    if (this.#isUncertain) return this.#hold(read);
    const text = this.#release() + this.#write(read);
    if (!this.#isSatisfied) return text;
    this.#isOver = true;
    return text + encode(this.#writer.writeUsage()) + DONE;
  }

  #write({ message, chunk, words = [] }: Waiting): string {
    if (chunk === undefined) return message.raw;
    const outcomes = chunk.choices.map((choice, at) =>
      this.#choice(choice)?.take(inputOf(choice), words[at])
    );
    const written = this.#writer.write(chunk, outcomes);
    return written === undefined ? message.raw : encode(written, message.event);
  }

  /** Ends every choice whose upstream did not. */
  #close(options: { readonly truncated: boolean }): { readonly text: string; readonly hasFinish: boolean } {
    const open = [...this.#choices].filter(([_, choice]) => !choice.isEnded);
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

  get #isUncertain(): boolean {
    for (const choice of this.#choices.values()) if (choice.isUncertain) return true;
    return false;
  }

  #hold(waiting: Waiting): string {
    this.#waiting.push(waiting);
    this.#waitingLength += waiting.message.raw.length;
    if (this.#waitingLength <= WAITING_MAXIMUM) return "";
    for (const choice of this.#choices.values()) if (choice.isUncertain) choice.rewriteCalls();
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

  #choice({ index = 0 }: ChunkChoice): Choice | undefined {
    const known = this.#choices.get(index);
    if (known !== undefined || this.#choices.size >= CHOICES_MAX) return known;
    const choice = createChoice(this.#options, index);
    this.#choices.set(index, choice);
    return choice;
  }

  get #isStopped(): boolean {
    return this.#options.isStopped?.() ?? false;
  }

  /** Whether every choice that was asked for is over. */
  get #isEnded(): boolean {
    return this.#choices.size >= (this.#options.choiceCount ?? 1) && this.#areEnded;
  }

  /** Whether every choice has what its client can take, though its upstream has more to say. */
  get #isSatisfied(): boolean {
    let isSilenced = false;
    for (const choice of this.#choices.values()) isSilenced ||= choice.isSilenced;
    return isSilenced && this.#isEnded;
  }

  /** Whether a call was sent, and every choice is over. */
  get #isWholeWithCall(): boolean {
    return this.#areEnded && [...this.#choices.values()].some((choice) => choice.hasCall);
  }

  get #areEnded(): boolean {
    for (const choice of this.#choices.values()) if (!choice.isEnded) return false;
    return true;
  }

  /** The upstream ended an answer with calls without the message that ends a stream. */
  #noteMissingDone(): void {
    const note = { kind: "note", reason: "done_missing", rule: NATIVE_RULE, start: 0, end: 0 } as const;
    this.#options.listener?.event(note, { choice: 0, isSent: false });
  }
}

/** What a chunk holds for one of its choices. */
function inputOf({ delta, finish_reason: reason }: ChunkChoice): ChoiceInput {
  return {
    text: contentText(delta?.content),
    reasoning: reasoningText(delta),
    role: delta?.role,
    toolCalls: delta?.tool_calls,
    functionCall: delta?.function_call,
    // Some servers write "" while the choice goes on.
    reason: reason || null,
  };
}

function encode(messages: readonly string[], event?: string): string {
  let text = "";
  for (const data of messages) text += encodeMessage(data, event);
  return text;
}
