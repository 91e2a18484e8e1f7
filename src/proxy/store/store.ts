/** The small memory between requests of a conversation. Values have a time to live; a full store drops the oldest. @module */
import { type LivingValue, LivingValues } from "./expiring_values.ts";

/**
 * A store of values with a time to live. Values must be JSON, because replicas can share them. Replicas share a key of
 * the request's conversation (one that contains its id), and up to 1,000 keys that belong to no conversation; a key of
 * another conversation is visible only on the replica that wrote it.
 */
export interface Store {
  /** The value, if it is alive. */
  get(key: string): unknown;
  /** Stores a value for a time, at most a year; it replaces an older one under the same key. */
  put(key: string, value: unknown, options: { readonly ttlMs: number }): void;
  /**
   * Adds to a number, which begins at 0, and returns the sum. Use it to count: replicas that put sums would overwrite
   * each other's. Throws if `by` isn't a finite number.
   */
  add(key: string, by: number, options: { readonly ttlMs: number }): number;
  /** Removes and returns the value, if it is alive. Only one of two callers gets it. */
  take(key: string): unknown;
  /** The living values, oldest first, for the admin pages. */
  entries(): readonly StoreEntry[];
}

/** What the admin pages show of a value. */
export type StoreEntry = LivingValue<unknown>;

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
export class MemoryStore extends LivingValues<unknown> implements Store {
  add(key: string, by: number, options: { readonly ttlMs: number }): number {
    if (!Number.isFinite(by)) throw new TypeError(`Cannot add ${by} to "${key}": expected a finite number`);
    const before = this.get(key);
    const sum = (typeof before === "number" ? before : 0) + by;
    this.put(key, sum, options);
    return sum;
  }
}
