/**
 * The choices of one answer, made when a message first speaks of them.
 *
 * @module
 */
import type { Choice } from "./choice.ts";
import type { FailureEvent } from "../event/event.ts";
import { type AnswerOptions, createChoice } from "./pipeline.ts";

/** The most choices of an answer that are read; those beyond pass untouched. */
const CHOICES_MAX = 128;

/** All choices of an answer. */
export class Choices {
  readonly #options: AnswerOptions;
  readonly #choices = new Map<number, Choice>();

  /** @param options what makes the stages of a choice */
  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** A choice by its index; undefined when there are too many. */
  at(index: number): Choice | undefined {
    const known = this.#choices.get(index);
    if (known !== undefined || this.#choices.size >= CHOICES_MAX) return known;
    const choice = createChoice(this.#options, index);
    this.#choices.set(index, choice);
    return choice;
  }

  /** Those that the client does not know to be over, by index. */
  get open(): readonly (readonly [index: number, choice: Choice])[] {
    return [...this.#choices].filter(([_, choice]) => !choice.isEnded);
  }

  /** The choice in whose text reading paused, and its index; there is never more than one. */
  get behind(): readonly [index: number, choice: Choice] | undefined {
    for (const entry of this.#choices) if (entry[1].isBehind) return entry;
    return undefined;
  }

  /** Whether the next message decides if this one can leave as it came. */
  get isUncertain(): boolean {
    for (const choice of this.#choices.values()) if (choice.isUncertain) return true;
    return false;
  }

  /** From here on the calls whose last arguments are uncertain are written anew. */
  rewriteUncertain(): void {
    for (const choice of this.#choices.values()) if (choice.isUncertain) choice.rewriteCalls();
  }

  /** Why the answer must end with an error: the first choice that failed says so. */
  get failure(): FailureEvent | undefined {
    for (const { failure } of this.#choices.values()) if (failure !== undefined) return failure;
    return undefined;
  }

  /** Whether every choice that was asked for is over. */
  get isEnded(): boolean {
    return this.#choices.size >= (this.#options.choiceCount ?? 1) && this.#areEnded;
  }

  /** Whether every choice has what its client can take, though its upstream has more to say. */
  get isSatisfied(): boolean {
    let isSilenced = false;
    for (const choice of this.#choices.values()) isSilenced ||= choice.isSilenced;
    return isSilenced && this.isEnded;
  }

  /** Whether a call was sent, and every choice is over. */
  get isWholeWithCall(): boolean {
    return this.#areEnded && [...this.#choices.values()].some((choice) => choice.hasCall);
  }

  get #areEnded(): boolean {
    for (const choice of this.#choices.values()) if (!choice.isEnded) return false;
    return true;
  }
}
