/** Values with a time to live, and a limit. If it is reached, the oldest value is dropped. @module */
import { putLast } from "../../engine/object/drop_oldest.ts";

/** How long values live, and how many. */
export interface LivingValuesOptions {
  /** A clock, in milliseconds. */
  readonly now: () => number;
  /** The most values at a time; 1,000 by default. */
  readonly countMax?: number;
}

/** A value whose time to live isn't over. */
export interface LivingValue<Value> {
  /** The key under which it was put. */
  readonly key: string;
  /** The value itself, never a copy. */
  readonly value: Value;
  /** Its remaining time to live, in milliseconds. */
  readonly leftMs: number;
}

/** Values with a time to live. */
export class LivingValues<Value> {
  readonly #options: LivingValuesOptions;
  readonly #values = new Map<string, { readonly value: Value; readonly until: number }>();

  /** Creates an empty store of values. */
  constructor(options: LivingValuesOptions) {
    this.#options = options;
  }

  /** The number of values, including expired ones that are still in memory. */
  get size(): number {
    return this.#values.size;
  }

  /** The value, if it is alive. */
  get(key: string): Value | undefined {
    const found = this.#values.get(key);
    return found !== undefined && found.until > this.#options.now() ? found.value : undefined;
  }

  /** Stores a value for a time; it replaces an older one under the same key. */
  put(key: string, value: Value, { ttlMs }: { readonly ttlMs: number }): void {
    putLast(this.#values, key, { value, until: this.#options.now() + ttlMs }, this.#options.countMax ?? 1000);
  }

  /** Removes and returns the value, if it is alive. */
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
