/**
 * The small memory between the requests of a conversation: strikes, queues. Each value has a time to live. The store is
 * bounded: if it is full, it drops the oldest value. It reads no clock of its own.
 *
 * @module
 */

/** A store of values with a time to live. */
export interface Store {
  /** The value, if it is alive. */
  get(key: string): unknown;
  /** Stores a value for a time; it replaces an older one under the same key. */
  put(key: string, value: unknown, options: { readonly ttlMs: number }): void;
  /** Removes and returns the value, if it is alive. Only one of two callers gets it. */
  take(key: string): unknown;
  /** The living values, oldest first, for the admin pages. */
  entries(): readonly StoreEntry[];
}

/** One value of a store. */
export interface StoreEntry {
  /** Its key. */
  readonly key: string;
  /** The value. */
  readonly value: unknown;
  /** Its remaining time to live, in milliseconds. */
  readonly leftMs: number;
}

/** The options of a store in memory. */
export interface MemoryStoreOptions {
  /** The time in milliseconds, from any start. */
  readonly now: () => number;
  /** The most values at a time; 1,000 by default. */
  readonly countMax?: number;
}

/**
 * A store in memory.
 *
 * @example
 * ```ts
 * import { MemoryStore } from "./store.ts";
 * const store = new MemoryStore({ now: () => 0 });
 * store.put("strikes", 2, { ttlMs: 1000 });
 * console.assert(store.take("strikes") === 2 && store.get("strikes") === undefined);
 * ```
 */
export class MemoryStore implements Store {
  readonly #options: MemoryStoreOptions;
  readonly #values = new Map<string, { readonly value: unknown; readonly until: number }>();

  /**
   * Creates an empty store.
   *
   * @param options the clock and the limit
   */
  constructor(options: MemoryStoreOptions) {
    this.#options = options;
  }

  get(key: string): unknown {
    const found = this.#values.get(key);
    if (found === undefined) return undefined;
    if (found.until > this.#options.now()) return found.value;
    this.#values.delete(key);
    return undefined;
  }

  put(key: string, value: unknown, { ttlMs }: { readonly ttlMs: number }): void {
    // Delete first, so that the map's order is the order of the puts.
    this.#values.delete(key);
    this.#values.set(key, { value, until: this.#options.now() + ttlMs });
    if (this.#values.size <= (this.#options.countMax ?? 1000)) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  take(key: string): unknown {
    const value = this.get(key);
    this.#values.delete(key);
    return value;
  }

  entries(): readonly StoreEntry[] {
    const now = this.#options.now();
    return [...this.#values].filter(([, { until }]) => until > now)
      .map(([key, { value, until }]) => ({ key, value, leftMs: until - now }));
  }
}
