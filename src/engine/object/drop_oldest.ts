/** Keeps a map from growing: what was put first is dropped first. @module */

/** Drops the first entries until there are at most this many. */
export function dropOldest(kept: Map<unknown, unknown>, countMax: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= countMax) return;
    kept.delete(oldest);
  }
}

/** Puts a value last, and drops the first ones until there are at most `countMax`. */
export function putLast<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value, countMax: number): void {
  kept.delete(key);
  kept.set(key, value);
  dropOldest(kept, countMax);
}
