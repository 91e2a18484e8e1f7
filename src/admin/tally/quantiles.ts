/**
 * Quantiles of times from counts in buckets, each 9% wider than the one before, so a quantile is at most 5% off.
 *
 * @module
 */

const STEPS_PER_DOUBLING = 8;

/** The longest time that has a bucket of its own: about 18 hours, in milliseconds. */
const BUCKETS_MAX = 26 * STEPS_PER_DOUBLING;

/** Bucket → how many times are in it. */
export type TimeCounts = Map<number, number>;

export function addTime(counts: TimeCounts, milliseconds: number): void {
  const bucket = Math.round(Math.log2(Math.max(1, milliseconds)) * STEPS_PER_DOUBLING);
  const at = Math.min(BUCKETS_MAX, bucket);
  counts.set(at, (counts.get(at) ?? 0) + 1);
}

/** The time under which a share of all times is; null without any. */
export function quantile(counts: TimeCounts, share: number): number | null {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of sorted) {
    seen += count;
    if (seen >= total * share) return 2 ** (bucket / STEPS_PER_DOUBLING);
  }
  return null;
}
