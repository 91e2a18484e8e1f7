/**
 * The small memory between the requests of a conversation: strikes, queues. In: keys and values with a time to
 * live. Out: the values, as long as they live. It is bounded: where it is full, what was put longest ago is
 * forgotten. It reads no clock of its own.
 *
 * @module
 */

/** A store of values that die. */
export interface Store {
  /** The value, if it lives. */
  get(key: string): unknown;
  /** Keeps a value for a time; it takes the place of an older one under the same key. */
  put(key: string, value: unknown, options: { readonly ttlMs: number }): void;
  /** The value, if it lives; it is then gone. Of two that take, one gets it. */
  take(key: string): unknown;
  /** What lives, oldest first: for a person to look at. */
  entries(): readonly StoreEntry[];
}

/** One value of a store. */
export interface StoreEntry {
  /** Its key. */
  readonly key: string;
  /** The value. */
  readonly value: unknown;
  /** How long it still lives, in milliseconds. */
  readonly leftMs: number;
}

/** How a store in memory is made. */
export interface MemoryStoreOptions {
  /** The time, in milliseconds from any beginning. */
  readonly now: () => number;
  /** The most values at a time; 1,000 unless said otherwise. */
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
   * An empty store.
   *
   * @param options the clock and the bound
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
    // Deleted first, so that the map's order is that of the puts.
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
