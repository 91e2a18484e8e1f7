/**
 * One streamed answer: its choices, each with a matcher and a renderer of its own, and what all of them share.
 * In: the upstream's chunks. Out: the chunks that take their place.
 *
 * @module
 */
import type { ChatChunk, ChunkChoice } from "../chat/chunk.ts";
import { contentText } from "../chat/read.ts";
import { type ChoiceOutcome, continueChunk, identityOf, isUnchanged, rewriteChunk } from "../chat/write.ts";
import type { Event, NoteEvent } from "../event/event.ts";
import type { Renderer } from "../render/renderer.ts";
import { Choice, type EventSource } from "./choice.ts";

/** The most choices of an answer that are looked at; those beyond pass untouched. */
const CHOICES_MAX = 128;

/** What an answer needs on its way. */
export interface AnswerOptions {
  /** A matcher for one choice. */
  readonly createSource: () => EventSource;
  /** A renderer for one choice; `note` hears of its decisions. */
  readonly createRenderer: (note: (note: NoteEvent) => void) => Renderer;
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

  /** The usage that the upstream has told so far, as a chunk of its own; nothing where it told none. */
  get usage(): ChatChunk[] {
    return this.#usage === null ? [] : [{ ...identityOf(this.#template), usage: this.#usage }];
  }

  /** The chunks that take a chunk's place; undefined: it stays as it came. */
  read(chunk: ChatChunk): ChatChunk[] | undefined {
    this.#usage = chunk.usage ?? this.#usage;
    if (chunk.choices.length > 0) this.#template = chunk;
    const outcomes = chunk.choices.map((choice) => this.#read(choice));
    return outcomes.every((outcome) => outcome === undefined) ? undefined : rewriteChunk(chunk, outcomes);
  }

  /** Ends every choice whose upstream did not. */
  close(options: { readonly truncated: boolean }): Closing {
    const ended = [...this.#choices].map(([index, choice]) => ({ index, outcome: choice.end(options) }));
    return {
      chunks: ended.flatMap((choice) => continueChunk(this.#template, choice)),
      hasFinish: ended.some((choice) => choice.outcome.finishReason !== null),
    };
  }

  /** What a choice says now; undefined: what it said. */
  #read(choice: ChunkChoice): ChoiceOutcome | undefined {
    const text = contentText(choice.delta?.content);
    const reason = choice.finish_reason ?? null;
    const outcome = this.#choice(choice.index ?? 0)?.read({
      text,
      reason,
      role: choice.delta?.role,
      native: choice.delta?.tool_calls,
    });
    return outcome === undefined || isUnchanged(outcome, { text, reason }) ? undefined : outcome;
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
  return new Choice({ source: options.createSource(), renderer: options.createRenderer(observe), observe });
}
