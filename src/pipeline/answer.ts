/**
 * One streamed answer: its choices, each with a matcher and a renderer of its own, and what all of them share.
 * In: the upstream's chunks. Out: the chunks that take their place.
 *
 * @module
 */
import type { ChatChunk, ChunkChoice, Delta } from "../chat/chunk.ts";
import { contentText, reasoningText } from "../chat/read.ts";
import { type ChoiceOutcome, continueChunk, identityOf, isUnchanged, rewriteChunk } from "../chat/write.ts";
import { addUsage } from "../chat/usage.ts";
import type { Event, NoteEvent } from "../event/event.ts";
import { NATIVE_RULE } from "../native/call.ts";
import { FUNCTION_CALL_INDEX } from "../native/entry.ts";
import type { NativeOptions } from "../native/reader.ts";
import type { Renderer } from "../render/renderer.ts";
import { Choice, type EventSource, type EventStage } from "./choice.ts";

/** The most choices of an answer that are looked at; those beyond pass untouched. */
const CHOICES_MAX = 128;

/** What an answer needs on its way. */
export interface AnswerOptions {
  /** A matcher for one choice. */
  readonly createSource: () => EventSource;
  /** A renderer for one choice; `note` hears of its decisions. */
  readonly createRenderer: (note: (note: NoteEvent) => void) => Renderer;
  /** What stands between matcher and renderer in one choice; absent: nothing does. */
  readonly createStage?: (() => EventStage) | undefined;
  /** Whether a stage has stopped the answer: nothing of it is said from here on. */
  readonly isStopped?: (() => boolean) | undefined;
  /** What is known of the request, for calls that the upstream sends itself. */
  readonly native?: NativeOptions | undefined;
  /** The usage of attempts before this one, which the client did not see; it is added to what the upstream tells. */
  readonly spent?: unknown;
  /** How many choices the request asked for (`n`); 1 unless said otherwise. */
  readonly choiceCount?: number;
  /** Hears of every event that decides something: calls and notes, never texts or arguments. */
  readonly observe?: (event: Event, choice: number) => void;
}

/** What is left to say when an answer is over. */
export interface Closing {
  /** What the choices still have to say. */
  readonly chunks: readonly ChatChunk[];
  /** Whether a choice was given its finish reason here, since its upstream gave none. */
  readonly hasFinish: boolean;
  /** Whether the chunks that wait may leave as they came. */
  readonly isConfirmed: boolean;
}

/** What is to become of a chunk. */
export interface Reading {
  /** Whether it can leave as it came. */
  readonly isUnchanged: boolean;
  /** Whether what comes next decides that: then it waits, together with all that follows until it is decided. */
  readonly owes: boolean;
  /** The chunks that take its place otherwise. */
  write(): ChatChunk[];
}

interface Spoken {
  readonly outcome: ChoiceOutcome;
  readonly isUnchanged: boolean;
  readonly isTouched: boolean;
}

/** The state of one streamed answer. */
export class Answer {
  readonly #options: AnswerOptions;
  readonly #choices = new Map<number, Choice>();
  #template: ChatChunk = { choices: [] };
  #usage: unknown = null;

  /**
   * The state before the first chunk.
   *
   * @param options what makes the matchers and renderers of the choices
   */
  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** True once every choice has what its client can take, though its upstream has more to say. */
  get isSatisfied(): boolean {
    const choices = [...this.#choices.values()];
    return choices.length >= (this.#options.choiceCount ?? 1) &&
      choices.some((choice) => choice.isSilenced) && choices.every((choice) => choice.isEnded);
  }

  /** The usage that the upstream has told so far; null where it told none. */
  get usage(): unknown {
    return this.#usage;
  }

  /** The same as a chunk of its own; nothing where it told none. */
  get usageChunk(): ChatChunk[] {
    if (this.#usage === null) return [];
    return [{ ...identityOf(this.#template), usage: addUsage(this.#options.spent, this.#usage) }];
  }

  /** Whether every choice that was asked for is over. */
  get isEnded(): boolean {
    const choices = [...this.#choices.values()];
    return choices.length >= (this.#options.choiceCount ?? 1) && choices.every((choice) => choice.isEnded);
  }

  /** Whether a call was sent, and every choice is over. */
  get isWholeWithCall(): boolean {
    const choices = [...this.#choices.values()];
    return choices.some((choice) => choice.hasCall) && choices.every((choice) => choice.isEnded);
  }

  /**
   * Takes a chunk.
   *
   * @param chunk what came
   * @param options `isHeld`: the chunks that owe something have not been sent yet
   */
  read(chunk: ChatChunk, options: { readonly isHeld: boolean } = { isHeld: false }): Reading {
    this.#usage = chunk.usage ?? this.#usage;
    if (chunk.choices.length > 0) this.#template = chunk;
    const spoken = chunk.choices.map((choice) => this.#read(choice, options));
    const { spent } = this.#options;
    const isSummed = spent !== undefined && chunk.usage != null;
    const told = isSummed ? { ...chunk, usage: addUsage(spent, chunk.usage) } : chunk;
    return {
      isUnchanged: !isSummed && spoken.every((each) => each === undefined || each.isUnchanged),
      owes: this.#owes(),
      write: () => rewriteChunk(told, spoken.map((each) => each?.isTouched ? each.outcome : undefined)),
    };
  }

  /** Takes only the usage of a chunk: nobody listens to the answer any more. */
  readUsage(chunk: ChatChunk): void {
    this.#usage = chunk.usage ?? this.#usage;
  }

  /**
   * Ends every choice whose upstream did not.
   *
   * @param options `truncated`: the stream broke off; `isHeld`: chunks that owe something have not been sent yet
   */
  close(options: { readonly truncated: boolean; readonly isHeld?: boolean }): Closing {
    const ended = [...this.#choices].map(([index, choice]) => ({ index, outcome: choice.end(options) }));
    const paid = options.isHeld
      ? ended.map(({ index, outcome }) => ({ index, outcome: withoutOwed(outcome) }))
      : [];
    const isConfirmed = paid.length > 0 && paid.every(isPaid);
    return {
      chunks: (isConfirmed ? paid.filter(isPaid) : ended).flatMap((one) =>
        continueChunk(this.#template, one)
      ),
      hasFinish: ended.some((choice) => choice.outcome.finishReason !== null),
      isConfirmed,
    };
  }

  /** The upstream ended an answer with calls without the word that ends a stream. */
  noteMissingDone(): void {
    this.#options.observe?.({ kind: "note", reason: "done_missing", rule: NATIVE_RULE, start: 0, end: 0 }, 0);
  }

  #owes(): boolean {
    for (const choice of this.#choices.values()) if (choice.owes) return true;
    return false;
  }

  /** What a choice says now; undefined: nobody looks at it. */
  #read(choice: ChunkChoice, { isHeld }: { readonly isHeld: boolean }): Spoken | undefined {
    const { content, role, tool_calls: toolCalls, function_call: functionCall } = choice.delta ?? {};
    const text = contentText(content);
    // Some servers write "" where the choice goes on.
    const reason = choice.finish_reason || null;
    const reasoning = reasoningText(choice.delta);
    const outcome = this.#choice(choice.index ?? 0)?.read({
      text,
      reasoning,
      reason,
      role,
      toolCalls,
      functionCall,
    });
    if (outcome === undefined) return undefined;
    const isOwing = outcome.owedBefore !== undefined || outcome.owedAfter !== undefined;
    const same = isUnchanged(outcome, { text, reason, toolCalls, functionCall }) &&
      (outcome.owedBefore === undefined || isHeld);
    return { outcome, isUnchanged: same, isTouched: !same || isOwing };
  }

  #choice(index: number): Choice | undefined {
    const known = this.#choices.get(index);
    if (known !== undefined || this.#choices.size >= CHOICES_MAX) return known;
    const choice = createChoice(this.#options, index);
    this.#choices.set(index, choice);
    return choice;
  }
}

/** A choice with a fresh matcher and a fresh renderer. */
export function createChoice(options: AnswerOptions, index: number): Choice {
  const observe = (event: Event) => options.observe?.(event, index);
  const { createSource, native } = options;
  const stage = options.createStage?.();
  return new Choice({ createSource, stage, renderer: options.createRenderer(observe), native, observe });
}

interface Ended {
  readonly index: number;
  readonly outcome: ChoiceOutcome;
}

function isPaid(
  ended: { readonly index: number; readonly outcome: ChoiceOutcome | undefined },
): ended is Ended {
  return ended.outcome !== undefined;
}

/** The outcome for a client that gets what was owed as it came; undefined where it would not have been right. */
function withoutOwed(outcome: ChoiceOutcome): ChoiceOutcome | undefined {
  const owed = new Map(outcome.owedBefore);
  const deltas = outcome.deltas.flatMap((delta): Delta[] => {
    const [call] = delta.tool_calls ?? [];
    const index = call === undefined ? FUNCTION_CALL_INDEX : call.index ?? 0;
    const called = call === undefined ? delta.function_call : call.function;
    const json = called?.arguments ?? "";
    const paid = owed.get(index);
    if (called === undefined || paid === undefined || !json.startsWith(paid)) return [delta];
    owed.delete(index);
    const rest = { ...called, arguments: json.slice(paid.length) };
    if (rest.arguments === "") return [];
    return [call === undefined ? { function_call: rest } : { tool_calls: [{ ...call, function: rest }] }];
  });
  return owed.size === 0 ? { ...outcome, deltas } : undefined;
}
