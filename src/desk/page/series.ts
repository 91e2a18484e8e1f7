/**
 * Sums over time as the lines of a chart: adds minutes up to steps, and computes a rate or a mean for each.
 *
 * @module
 */
import type { TimelineFigures } from "../tally/timeline.ts";

/** What a chart shows: a range of time in steps. */
export interface TimeRange {
  /** The length of the range, in milliseconds. */
  readonly rangeMs: number;
  /** The length of a step, in milliseconds. */
  readonly stepMs: number;
  /** When the server started, in milliseconds since 1970. */
  readonly since?: number;
}

/** The sums of one step. */
export type Step = Readonly<Record<string, number>>;

/** Steps in the order of time, without gaps. */
export interface Series {
  /** The beginning of each step, in seconds since 1970. */
  readonly times: readonly number[];
  /** The sums of each step; null before the start of the server, and for the step that isn't over. */
  readonly steps: readonly (Step | null)[];
}

/** The steps of a range that ends now. */
export function seriesOf(
  { columns, points, now }: TimelineFigures,
  { rangeMs, stepMs, since = 0 }: TimeRange,
): Series {
  const last = Math.floor(now / stepMs) * stepMs;
  const length = Math.ceil(rangeMs / stepMs);
  const first = last - (length - 1) * stepMs;
  const sums = Array.from({ length }, () => Object.fromEntries(columns.map((name) => [name, 0])));
  for (const [at = 0, ...values] of points) {
    const step = sums[Math.floor((at - first) / stepMs)];
    if (step === undefined) continue;
    columns.forEach((name, column) => step[name] = (step[name] ?? 0) + (values[column] ?? 0));
  }
  const at = (index: number) => first + index * stepMs;
  // A server that has just started has nothing but the running step.
  const isFresh = since >= last;
  return {
    times: sums.map((_, index) => at(index) / 1000),
    steps: sums.map((step, index) =>
      at(index) + stepMs <= since || (index === length - 1 && !isFresh) ? null : step
    ),
  };
}

/** A share in percent, or a mean; null without a divisor, which leaves a gap in the line. */
export function ratio(part: number | undefined, whole: number | undefined, factor = 1): number | null {
  return part === undefined || whole === undefined || whole === 0 ? null : part / whole * factor;
}
