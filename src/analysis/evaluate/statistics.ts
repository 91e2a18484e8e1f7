/** Statistics: what a number of right answers shows, and whether one setting is better than another. @module */

/** The quantile of the normal distribution for an interval of 95%. */
const Z = 1.959964;

/** Wilson's interval of 95% for a share of k of n, from 0 to 1. Without answers, everything is possible. */
export function wilson(k: number, n: number): { readonly low: number; readonly high: number } {
  if (n === 0) return { low: 0, high: 1 };
  const share = k / n;
  const scale = 1 + Z * Z / n;
  const middle = (share + Z * Z / (2 * n)) / scale;
  const half = Z * Math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / scale;
  return { low: k === 0 ? 0 : Math.max(0, middle - half), high: k === n ? 1 : Math.min(1, middle + half) };
}

/** McNemar's exact test of pairs, two-sided: how likely a difference of won and lost pairs is by chance. */
export function mcnemar(won: number, lost: number): number {
  const n = won + lost;
  let tail = 0;
  for (let k = 0; k <= Math.min(won, lost); k++) tail += Math.exp(logChoose(n, k) - n * Math.LN2);
  return Math.min(1, 2 * tail);
}

interface TwoGroups {
  /** How many of `n` answers of the first group show something. */
  readonly k: number;
  readonly n: number;
  /** The same of the second group. */
  readonly otherK: number;
  readonly otherN: number;
}

/** Fisher's exact test, one-sided: how likely the first group has this many or more by chance. */
export function fisher({ k, n, otherK, otherN }: TwoGroups): number {
  const shown = k + otherK;
  const all = logChoose(n + otherN, shown);
  let tail = 0;
  for (let more = k; more <= Math.min(n, shown); more++) {
    if (shown - more > otherN) continue;
    tail += Math.exp(logChoose(n, more) + logChoose(otherN, shown - more) - all);
  }
  return Math.min(1, tail);
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}
