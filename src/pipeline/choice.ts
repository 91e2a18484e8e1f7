/**
 * One choice of an answer: what the upstream's messages hold for it becomes events, which go through its stages.
 * Choices of an answer know nothing of each other.
 *
 * @module
 */
import type { ChunkChoice } from "../chat/chunk.ts";
import { contentText, reasoningText } from "../chat/read.ts";
import type { ChoiceOutcome } from "../chat/write.ts";
import type { ChoiceWriter } from "../chat/writer.ts";
import type { AnswerEvent, FailureEvent, ReasoningEvent, TextEndEvent, TextEvent } from "../event/event.ts";
import type { Sink } from "../event/stage.ts";
import { NATIVE_RULE } from "../native/call.ts";
import type { NativeInput, NativeReader, NativeWords } from "../native/reader.ts";
import type { Renderer } from "../render/renderer.ts";
import type { Ending } from "./ending.ts";
import type { TextStage } from "./tap.ts";
import type { Work } from "./work.ts";

/** What a choice is made of; `pipeline.ts` connects the stages. */
export interface ChoiceParts {
  /** Reads the calls that the upstream sends itself. */
  readonly native: NativeReader;
  /** Whether the client reads its calls in the text. */
  readonly isText: boolean;
  /** Where everything enters but the upstream's own calls. */
  readonly first: Sink;
  /** Where text is read. */
  readonly texts: Pick<TextStage, "isBehind">;
  /** Where those enter: after the matcher. */
  readonly joined: Sink;
  /** Where the choice ends. */
  readonly last: Sink;
  readonly ending: Ending;
  readonly renderer: Renderer;
  readonly writer: ChoiceWriter;
}

/** What a message holds for a choice. */
export interface ChoiceInput extends NativeInput {
  /** Its new text. */
  readonly text?: string | undefined;
  /** Its new reasoning. */
  readonly reasoning?: string | undefined;
  /** The role. */
  readonly role?: string | undefined;
  /** The upstream's finish reason, null while the choice goes on. */
  readonly reason: string | null;
}

/** What a message says about calls: its own pieces, and what the end of the choice adds to them. */
export interface CallWords {
  readonly pieces: NativeWords | undefined;
  readonly end: NativeWords | undefined;
}

/** Makes a matcher that paused go on. */
const GO_ON: TextEvent = { kind: "text", text: "" };

/** Finish reasons of answers that were cut off. */
const CUT_REASONS: ReadonlySet<string> = new Set(["length", "content_filter"]);

/** The state of one choice. */
export class Choice {
  readonly #parts: ChoiceParts;
  #isSilenced = false;
  #hasRole = false;
  /** Whether the role that a call needs has not been noted as missing yet. */
  #lacksRole = false;

  /** @param parts its stages, all fresh */
  constructor(parts: ChoiceParts) {
    this.#parts = parts;
  }

  /** Whether the client knows that the choice is over. */
  get isEnded(): boolean {
    return this.#parts.ending.isEnded;
  }

  /** Whether the choice was ended for the client's sake, whatever its upstream still says. */
  get isSilenced(): boolean {
    return this.#isSilenced;
  }

  /** Whether the client knows of a call. */
  get hasCall(): boolean {
    return this.#parts.ending.hasCall;
  }

  /** Why the answer must end with an error. */
  get failure(): FailureEvent | undefined {
    return this.#parts.writer.failure;
  }

  /** Whether the next message decides if this one can leave as it came. */
  get isUncertain(): boolean {
    return this.#parts.native.isUncertain;
  }

  /** Reads what a message says about calls. Messages may wait after this, so nothing is passed on yet. */
  readCalls(input: ChoiceInput): CallWords | undefined {
    const { native, isText } = this.#parts;
    this.#hasRole ||= Boolean(input.role);
    const hasPieces = input.toolCalls != null || input.functionCall != null;
    if (this.#isSilenced || (!hasPieces && !(input.reason !== null && native.hasCalls))) return undefined;
    const pieces = hasPieces ? native.read(input) : undefined;
    if (!this.#hasRole && !isText && pieces?.repaired.some(isStart)) {
      this.#hasRole = this.#lacksRole = true;
      native.rewrite();
    }
    const isCut = input.reason !== null && CUT_REASONS.has(input.reason);
    return { pieces, end: input.reason === null ? undefined : native.end({ isCut }) };
  }

  /** From here on the upstream's own calls are written anew. */
  rewriteCalls(): void {
    this.#parts.native.rewrite();
  }

  /** Passes on what a message holds; gives what the choice holds now, undefined: what it held. */
  *take(input: ChoiceInput, words: CallWords | undefined): Work<ChoiceOutcome | undefined> {
    this.#begin(words);
    if (this.#isSilenced) return this.#parts.writer.end();
    yield* this.#takeWords(input, words);
    if (input.reason === null) this.#endEarly();
    else yield* this.#finish(input.reason, { truncated: CUT_REASONS.has(input.reason), end: words?.end });
    return this.#parts.writer.end();
  }

  /** The same for a message that holds nothing but this text. If the choice is behind then, `readOn` must follow. */
  takeSpoken(event: TextEvent | ReasoningEvent): ChoiceOutcome | undefined {
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

  /** Reads what is left of a text in which reading paused; gives what comes after the message that held it. */
  *readOn(): Work<ChoiceOutcome | undefined> {
    const { writer } = this.#parts;
    writer.begin();
    yield* this.#catchUp();
    this.#endEarly();
    return writer.end();
  }

  /** The same for an answer that is not streamed: it ends with its one message. */
  *takeWhole(input: ChoiceInput): Work<ChoiceOutcome | undefined> {
    const { pieces, end = this.readEnd({ truncated: false }) } = this.readCalls(input) ?? {};
    const words = { pieces, end };
    this.#begin(words);
    yield* this.#takeWords(input, words);
    if (input.reason === null) this.#endEarly();
    const truncated = input.reason !== null && CUT_REASONS.has(input.reason);
    if (!this.isEnded) yield* this.#finish(input.reason, { truncated, end });
    return this.#parts.writer.end();
  }

  #begin(words: CallWords | undefined): void {
    const { writer, native } = this.#parts;
    const endsCalls = words?.end?.repaired.some(({ kind }) => kind !== "note") ?? false;
    writer.begin({ mustWrite: native.isRepaired && (words?.pieces !== undefined || endsCalls) });
  }

  *#takeWords({ role, reasoning, text }: ChoiceInput, words: CallWords | undefined): Work<void> {
    if (role) this.#give({ kind: "role", role });
    if (reasoning) this.#give({ kind: "reasoning", text: reasoning });
    if (text) this.#give({ kind: "text", text });
    yield* this.#catchUp();
    if (words?.pieces !== undefined) yield* this.#giveCalls(words.pieces);
  }

  *#catchUp(event: TextEvent | TextEndEvent = GO_ON): Work<void> {
    while (this.isBehind) {
      yield;
      this.#parts.first.push(event);
    }
  }

  *#endText(end: Omit<TextEndEvent, "kind">): Work<void> {
    const event: TextEndEvent = { kind: "text_end", ...end };
    this.#parts.first.push(event);
    yield* this.#catchUp(event);
  }

  /** Reads what the end of the stream says about the calls. */
  readEnd({ truncated }: { readonly truncated: boolean }): NativeWords | undefined {
    const { native } = this.#parts;
    return !this.isEnded && native.hasCalls ? native.end({ isCut: truncated }) : undefined;
  }

  /** The answer is over and no finish reason came; gives what is left to say. */
  *end({ truncated, end }: FinishOptions): Work<ChoiceOutcome | undefined> {
    const { writer } = this.#parts;
    writer.begin({ mustWrite: true });
    if (!this.isEnded) yield* this.#finish(null, { truncated, end });
    return writer.end();
  }

  *#finish(reason: string | null, { truncated, end }: FinishOptions): Work<void> {
    const isAnswered = this.#parts.native.hasCalls;
    if (!this.isEnded) yield* this.#endText({ truncated, isAnswered });
    if (end !== undefined) yield* this.#giveCalls(end);
    this.#give({ kind: "finish", reason, truncated, isAnswered });
  }

  /** The client takes no more: the choice ends here. */
  #endEarly(): void {
    const { renderer, last, native } = this.#parts;
    if (!renderer.isFinished || this.isEnded) return;
    const isAnswered = native.hasCalls;
    last.push({ kind: "finish", reason: "stop", truncated: false, isAnswered, isEarly: true });
    this.#isSilenced = true;
  }

  #give(event: AnswerEvent): void {
    const { writer, first } = this.#parts;
    writer.expect(event);
    // An upstream that goes on after its end: nobody looks at what it says, but its calls and another end.
    if (this.isEnded && event.kind !== "finish") writer.push(event);
    else first.push(event);
  }

  *#giveCalls(words: NativeWords): Work<void> {
    const { native, writer, joined, isText } = this.#parts;
    const events = native.isRepaired ? words.repaired : words.came;
    // A call that the client reads in the text: the text before it is over.
    if (isText && events.some(isStart)) yield* this.#endText({ truncated: false, isAnswered: true });
    if (this.#lacksRole) {
      this.#lacksRole = false;
      joined.push({ kind: "note", reason: "role_missing", rule: NATIVE_RULE, start: 0, end: 0 });
    }
    for (const event of events) {
      // A note ends before the writer.
      if (event.kind !== "note") writer.expect(event);
      joined.push(event);
    }
  }
}

function isStart({ kind }: AnswerEvent): boolean {
  return kind === "call_start";
}

interface FinishOptions {
  /** Whether the answer was cut off. */
  readonly truncated: boolean;
  /** What the end says about the calls. */
  readonly end: NativeWords | undefined;
}

/** What a chunk holds for one of its choices. */
export function inputOf({ delta, finish_reason: reason }: ChunkChoice): ChoiceInput {
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
