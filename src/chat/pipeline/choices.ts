/** The choices of one answer, each created by the first message that contains it. @module */
import type { FailureEvent } from "../event/event.ts";
import type { ChatChunk } from "../message/chunk.ts";
import { type CallEvents, type Choice, type ChoiceInput, inputOf } from "./choice.ts";
import { type AnswerOptions, createChoice } from "./pipeline.ts";

/** The most choices of an answer that are read; the others stay unchanged. */
const CHOICES_MAX = 128;

export interface ChoicePart {
  /** Undefined if the answer has too many choices. */
  readonly choice: Choice | undefined;
  readonly input: ChoiceInput;
  readonly calls: CallEvents | undefined;
}

export class Choices {
  readonly #options: AnswerOptions;
  readonly #choices = new Map<number, Choice>();

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** The choice with an index; undefined if there are too many. */
  at(index: number): Choice | undefined {
    const known = this.#choices.get(index);
    if (known !== undefined || this.#choices.size >= CHOICES_MAX) return known;
    const choice = createChoice(this.#options, index);
    this.#choices.set(index, choice);
    return choice;
  }

  /** Reads a chunk. It can be held after this, so nothing is passed on yet. */
  read({ choices }: ChatChunk): ChoicePart[] {
    return choices.map(({ index, delta, finish_reason: reason }) => {
      const choice = this.at(index ?? 0);
      const input = inputOf(delta, reason);
      return { choice, input, calls: choice?.readCalls(input) };
    });
  }

  /** The choices that haven't ended for the client, with their indexes. */
  get open(): readonly (readonly [index: number, choice: Choice])[] {
    return [...this.#choices].filter(([_, choice]) => !choice.isEnded);
  }

  get isUncertain(): boolean {
    return this.#hasAny((choice) => choice.isUncertain);
  }

  /** From here on, writes the calls of uncertain choices from their events instead of the raw messages. */
  rewriteUncertain(): void {
    for (const choice of this.#choices.values()) if (choice.isUncertain) choice.rewriteCalls();
  }

  /** The error of the first choice that failed; the answer ends with it. */
  get failure(): FailureEvent | undefined {
    for (const { failure } of this.#choices.values()) if (failure !== undefined) return failure;
    return undefined;
  }

  get isEnded(): boolean {
    return this.#choices.size >= (this.#options.choiceCount ?? 1) && this.areEnded;
  }

  /** Whether every requested choice has ended, and one of them before its upstream ended it. */
  get isEndedEarly(): boolean {
    return this.isEnded && this.#hasAny((choice) => choice.isEndedEarly);
  }

  get isEndedWithCall(): boolean {
    return this.areEnded && this.#hasAny((choice) => choice.hasCall);
  }

  get hasBrokenCall(): boolean {
    return this.#hasAny((choice) => choice.hasBrokenCall);
  }

  get areEnded(): boolean {
    return this.#choices.size > 0 && !this.#hasAny((choice) => !choice.isEnded);
  }

  get hasOwnCalls(): boolean {
    return this.#hasAny((choice) => choice.hasOwnCalls);
  }

  #hasAny(test: (choice: Choice) => boolean): boolean {
    for (const choice of this.#choices.values()) if (test(choice)) return true;
    return false;
  }
}
