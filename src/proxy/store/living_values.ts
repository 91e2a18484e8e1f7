/** Values with a time to live, and a limit. If it is reached, the oldest value is dropped. @module */

export interface LivingValuesOptions {
  readonly now: () => number;
  /** The most values at a time; 1,000 by default. */
  readonly countMax?: number;
}

export interface LivingValue<Value> {
  readonly key: string;
  /** The value itself, never a copy. */
  readonly value: Value;
  readonly leftMs: number;
}

export class LivingValues<Value> {
  readonly #options: LivingValuesOptions;
  readonly #values = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(options: LivingValuesOptions) {
    this.#options = options;
  }

  /** The number of values, including expired ones that are still in memory. */
  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    const found = this.#values.get(key);
    return found !== undefined && found.until > this.#options.now() ? found.value : undefined;
  }

  put(key: string, value: Value, { ttlMs }: { readonly ttlMs: number }): void {
    // Delete first, so that the map is in the order of changes.
    this.#values.delete(key);
    this.#values.set(key, { value, until: this.#options.now() + ttlMs });
    const [oldest] = this.#values.keys();
    if (this.#values.size > (this.#options.countMax ?? 1000) && oldest !== undefined) {
      this.#values.delete(oldest);
    }
  }

  take(key: string): Value | undefined {
    const value = this.get(key);
    this.#values.delete(key);
    return value;
  }

  /** The living values, oldest first. */
  entries(): LivingValue<Value>[] {
    const now = this.#options.now();
    return [...this.#values].filter(([, { until }]) => until > now)
      .map(([key, { value, until }]) => ({ key, value, leftMs: until - now }));
  }
}
