/** Figures over time for charts: adds minutes up to steps. @module */
import { emptyTally, type Figures, figuresOf } from "../tally/tally.ts";
import type { TimelineFigures } from "../tally/timeline.ts";

export interface TimeRange {
  /** The length of the range, in milliseconds. */
  readonly rangeMs: number;
  /** The length of a step, in milliseconds. */
  readonly stepMs: number;
  /** When the server started, in milliseconds since 1970. */
  readonly since?: number;
}

/** Steps in the order of time, without gaps. */
interface Series {
  /** The beginning of each step, in seconds since the Unix epoch. */
  readonly times: readonly number[];
  /** The figures of each step; null before the start of the server, and for the step that isn't over. */
  readonly steps: readonly (Figures | null)[];
}

export function seriesOf(
  { columns, points, now }: TimelineFigures,
  { rangeMs, stepMs, since = 0 }: TimeRange,
): Series {
  const last = Math.floor(now / stepMs) * stepMs;
  const length = Math.ceil(rangeMs / stepMs);
  const first = last - (length - 1) * stepMs;
  const sums = Array.from({ length }, emptyTally);
  for (const [at = 0, ...values] of points) {
    const step = sums[Math.floor((at - first) / stepMs)];
    if (step === undefined) continue;
    columns.forEach((name, column) => step[name] += values[column] ?? 0);
  }
  const at = (index: number) => first + index * stepMs;
  // A server that has just started has nothing but the running step.
  const isFresh = since >= last;
  return {
    times: sums.map((_, index) => at(index) / 1000),
    steps: sums.map((step, index) =>
      at(index) + stepMs <= since || (index === length - 1 && !isFresh) ? null : figuresOf(step)
    ),
  };
}
