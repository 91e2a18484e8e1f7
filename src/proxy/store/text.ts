/** Texts of answers for later requests, bounded in time, number and length; the least recently used go first. @module */

export interface Texts {
  /** The texts of some names, in the same order; undefined for one that isn't kept. Reading renews their time to live. */
  recall(names: readonly string[]): Promise<readonly (string | undefined)[]>;
  keep(name: string, text: string): Promise<void>;
}

/** How long a text lives after its last use, in milliseconds. */
export const TEXT_TTL_MS = 24 * 60 * 60_000;

interface TextLimits {
  readonly countMax: number;
  /** The most characters of all texts together; a longer text isn't kept. */
  readonly charactersMax: number;
}

const TEXT_LIMITS: TextLimits = { countMax: 10_000, charactersMax: 32 * 1024 * 1024 };

export class MemoryTexts implements Texts {
  readonly #now: () => number;
  readonly #limits: TextLimits;
  /** In the order of use. */
  readonly #texts = new Map<string, { readonly text: string; readonly until: number }>();
  #characters = 0;

  constructor(now: () => number, limits: TextLimits = TEXT_LIMITS) {
    this.#now = now;
    this.#limits = limits;
  }

  /** How long all texts are together, in characters. */
  get characters(): number {
    return this.#characters;
  }

  recall(names: readonly string[]): Promise<readonly (string | undefined)[]> {
    return Promise.resolve(names.map((name) => this.#use(name)));
  }

  keep(name: string, text: string): Promise<void> {
    this.#drop(name);
    if (text.length > this.#limits.charactersMax) return Promise.resolve();
    const now = this.#now();
    this.#texts.set(name, { text, until: now + TEXT_TTL_MS });
    this.#characters += text.length;
    const { countMax, charactersMax } = this.#limits;
    for (const [oldest, { until }] of this.#texts) {
      if (until > now && this.#texts.size <= countMax && this.#characters <= charactersMax) break;
      this.#drop(oldest);
    }
    return Promise.resolve();
  }

  #use(name: string): string | undefined {
    const kept = this.#texts.get(name);
    if (kept === undefined) return undefined;
    this.#texts.delete(name);
    const now = this.#now();
    if (kept.until > now) this.#texts.set(name, { text: kept.text, until: now + TEXT_TTL_MS });
    else this.#characters -= kept.text.length;
    return kept.until > now ? kept.text : undefined;
  }

  #drop(name: string): void {
    this.#characters -= this.#texts.get(name)?.text.length ?? 0;
    this.#texts.delete(name);
  }
}
