/** Keeps a map from growing: what was put first is dropped first. @module */

/** Drops the first entries until there are at most this many. */
export function dropOldest(kept: Map<unknown, unknown>, countMax: number): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= countMax) return;
    kept.delete(oldest);
  }
}
