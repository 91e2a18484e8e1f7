/**
 * Whether the difference between two shares or two means can be chance: the two-proportion z-test with the pooled share, and
 * Welch's test, both two-sided. Below five successes or failures in either group, or thirty values, the normal distribution
 * is too coarse, so the answer is unknown.
 *
 * @module
 */

export interface Share {
  readonly part: number;
  readonly whole: number;
}

/** Values of which only sums are kept. */
export interface Sample {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

export type Comparison = "same" | "can_be_chance" | "not_chance" | "too_few";

/** The probability under which a difference isn't taken for chance. */
const SIGNIFICANCE = 0.05;

/** The fewest expected successes and failures in a group. */
const EXPECTED_MIN = 5;

/** Compares two shares. */
export function compareShares(one: Share, other: Share): Comparison {
  const pooled = (one.part + other.part) / (one.whole + other.whole);
  const fewest = Math.min(one.whole, other.whole) * Math.min(pooled, 1 - pooled);
  if (one.whole === 0 || other.whole === 0) return "too_few";
  const difference = one.part / one.whole - other.part / other.whole;
  if (difference === 0) return "same";
  if (fewest < EXPECTED_MIN) return "too_few";
  const deviation = Math.sqrt(pooled * (1 - pooled) * (1 / one.whole + 1 / other.whole));
  return probabilityBeyond(Math.abs(difference) / deviation) < SIGNIFICANCE ? "not_chance" : "can_be_chance";
}

/** The fewest values in a group of which means are compared. */
const VALUES_MIN = 30;

/**
 * Compares two means.
 *
 * @example
 * ```ts
 * import { compareMeans } from "./two_proportion.ts";
 * const one = { count: 100, sum: 100, squares: 200 };
 * console.assert(compareMeans(one, { count: 100, sum: 300, squares: 1000 }) === "not_chance");
 * console.assert(compareMeans(one, { count: 100, sum: 101, squares: 204 }) === "can_be_chance");
 * ```
 */
export function compareMeans(one: Sample, other: Sample): Comparison {
  if (one.count < VALUES_MIN || other.count < VALUES_MIN) return "too_few";
  const difference = one.sum / one.count - other.sum / other.count;
  if (difference === 0) return "same";
  const deviation = Math.sqrt(varianceOfMean(one) + varianceOfMean(other));
  if (deviation === 0) return "not_chance";
  return probabilityBeyond(Math.abs(difference) / deviation) < SIGNIFICANCE ? "not_chance" : "can_be_chance";
}

function varianceOfMean({ count, sum, squares }: Sample): number {
  return Math.max(0, squares - sum * sum / count) / (count - 1) / count;
}

/** The probability that a standard normal variable is farther from zero than `z`: Abramowitz and Stegun, 26.2.17. */
export function probabilityBeyond(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const factors = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const sum = factors.reduceRight((rest, factor) => (rest + factor) * t, 0);
  return 2 * sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
}
