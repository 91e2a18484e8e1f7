/**
 * Remembers the models whose calls are no longer constrained by a grammar, because one failed.
 *
 * @module
 */

/** The most models that are remembered; the one that was added first is forgotten first. */
const MODELS_MAX = 1000;

/** Models whose calls are no longer constrained. Kept over hot reloads. */
export class WithdrawnStrictness {
  readonly #errors = new Map<string, string>();

  /** Why a model's calls aren't constrained; undefined if they are. */
  errorOf(model: string): string | undefined {
    return this.#errors.get(model);
  }

  /** A grammar failed with an error. */
  withdraw(model: string, error: string): void {
    this.#errors.set(model, error);
    for (const first of this.#errors.keys()) {
      if (this.#errors.size <= MODELS_MAX) return;
      this.#errors.delete(first);
    }
  }
}
