/**
 * The small memory between the requests of a conversation: strikes, queues. Each value has a time to live. The store is
 * bounded: if it is full, it drops the oldest value. It reads no clock of its own.
 *
 * @module
 */

/**
 * A store of values with a time to live. Values are what JSON can carry: replicas may share them, and a value comes back as
 * its JSON reads. Replicas share a key of the request's conversation (one that contains its id), and up to 1,000 keys
 * that belong to no conversation; a key of another conversation is visible only on the replica that wrote it.
 */
export interface Store {
  /** The value, if it is alive. */
  get(key: string): unknown;
  /** Stores a value for a time, at most a year; it replaces an older one under the same key. */
  put(key: string, value: unknown, options: { readonly ttlMs: number }): void;
  /**
   * Adds to a number, which is 0 if there is none, and returns the sum. Use it to count: replicas that put sums would lose
   * each other's. Throws if `by` isn't a finite number.
   */
  add(key: string, by: number, options: { readonly ttlMs: number }): number;
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

  add(key: string, by: number, options: { readonly ttlMs: number }): number {
    if (!Number.isFinite(by)) throw new TypeError(`Cannot add ${by} to "${key}": expected a finite number`);
    const before = this.get(key);
    const sum = (typeof before === "number" ? before : 0) + by;
    this.put(key, sum, options);
    return sum;
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
