/** Refusals that no form answers: after a few requests with the same words, they are the answer at once. @module */
import { putLast } from "../../engine/object/drop_oldest.ts";

/** How many requests in a row with a refusal in the same words are sent in other forms in vain. */
const REQUESTS_MAX = 3;

/** How many refusals are remembered; the one that was seen first is forgotten first. */
const REFUSALS_MAX = 1000;

/** How many characters of a message are compared. */
const WORDS_LENGTH_MAX = 300;

/** The refusals of one request; each counts once. */
export interface RequestRefusals {
  stays(message: string): boolean;
  /** The refusal came back in every other form. */
  stayed(message: string): void;
  /** Another form was answered. */
  answered(message: string): void;
}

export class StayingRefusals {
  readonly #requests = new Map<string, { readonly upstream: string; readonly count: number }>();

  /** @param about what else has to be the same: the model, and which forms are tried */
  ofRequest(upstream: string, about: readonly string[]): RequestRefusals {
    const counted = new Set<string>();
    // Numbers differ from request to request, such as those of tokens.
    const keyOf = (message: string) =>
      JSON.stringify([upstream, ...about, message.slice(0, WORDS_LENGTH_MAX).replaceAll(/\d+/g, "0")]);
    const countOf = (key: string) => this.#requests.get(key)?.count ?? 0;
    return {
      stays: (message) => !counted.has(keyOf(message)) && countOf(keyOf(message)) >= REQUESTS_MAX,
      stayed: (message) => {
        const key = keyOf(message);
        if (counted.has(key)) return;
        counted.add(key);
        putLast(this.#requests, key, { upstream, count: countOf(key) + 1 }, REFUSALS_MAX);
      },
      answered: (message) => void this.#requests.delete(keyOf(message)),
    };
  }

  /** Another server can be there now. */
  forget(upstream: string): void {
    for (const [key, about] of this.#requests) {
      if (about.upstream === upstream) this.#requests.delete(key);
    }
  }
}
