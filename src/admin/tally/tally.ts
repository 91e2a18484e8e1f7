/** Sums over lines of the audit log, and rates derived from them. @module */
import { isAnswerLine, isErrorLine, standingOf } from "../audit/classification.ts";
import { endOf } from "../audit/ends.ts";
import type { AuditLine, DecisionLine, RequestLine, ResultLine } from "../audit/line.ts";

export interface Tally {
  requests: number;
  /** Requests that ended with an error from Dragoman or the upstream. */
  errors: number;
  /** Answers to requests that offered tools. */
  answers: number;
  /** Answers in which the model printed a call as text, whether or not a rule read the call. */
  printedAsText: number;
  /** Calls that the model printed as text: attempts, near misses, and calls that a plugin refused. */
  printedCalls: number;
  /** Those of them that reached the agent as text. */
  reachedAsText: number;
  /** Passages that a rule treated as a call. */
  candidates: number;
  /** Candidates that the model intended as calls. */
  attempts: number;
  /** Candidates that became calls. */
  transformed: number;
  /** Calls that a dry run or the canary held back. */
  wouldTransform: number;
  /** Candidates left as text. */
  abstained: number;
  /** Announced calls that broke off. */
  failed: number;
  /** Calls that were cut off and left the answer. */
  lost: number;
  /** Calls that a plugin refused. */
  refused: number;
  repairs: number;
  /** Passages that look like a call but that no rule reads. */
  nearMisses: number;
  /** Calls that the agent ran, as its next request shows. */
  accepted: number;
  /** Calls that the agent could not use. */
  rejected: number;
  /** Requests whose model sent a first token. */
  begun: number;
  /** The time to the first token, in milliseconds, over all of them. */
  firstMs: number;
  /** The time to the end, in milliseconds, over all requests. */
  durationMs: number;
  /** The natural logarithms of these times, added up, and their squares: what a comparison of times needs. */
  firstLog: number;
  firstLogSquares: number;
  durationLog: number;
  durationLogSquares: number;
  /** The times to the first token and to the end, in buckets. */
  readonly firstTimes: TimeCounts;
  readonly durationTimes: TimeCounts;
  tokens: number;
  /** Dragoman's own work on answers, in milliseconds. */
  addedMs: number;
  /** The longest work on one answer, in milliseconds. */
  addedMsMax: number;
}

/** Sums that only means, quantiles and comparisons need. */
type TimeSums = Pick<
  Tally,
  | "addedMs"
  | "begun"
  | "firstMs"
  | "durationMs"
  | "firstLog"
  | "firstLogSquares"
  | "durationLog"
  | "durationLogSquares"
  | "firstTimes"
  | "durationTimes"
>;

/** Sums and rates. A rate is null if its divisor is zero. */
export interface Figures extends Readonly<Omit<Tally, keyof TimeSums>> {
  /** The share of candidates that became calls or would have. */
  readonly transformationRate: number | null;
  /** The share of attempts that became calls or would have. */
  readonly successRate: number | null;
  /** The share of requests that ended with an error. */
  readonly errorRate: number | null;
  /** The share of answers in which the model printed a call as text. */
  readonly printedAsTextRate: number | null;
  /** The share of the printed calls that reached the agent as text. */
  readonly reachedAsTextRate: number | null;
  /** The share of calls with a known result that the agent ran. */
  readonly acceptanceRate: number | null;
  /** The mean time to the first token, in milliseconds. */
  readonly firstMsMean: number | null;
  /** The mean time to the end, in milliseconds. */
  readonly durationMsMean: number | null;
  /** The time to the first token and to the end, in milliseconds, under which half and 95% of the requests are. */
  readonly firstMsMedian: number | null;
  readonly firstMsSlow: number | null;
  readonly durationMsMedian: number | null;
  readonly durationMsSlow: number | null;
  /** Dragoman's own work per answer, in milliseconds. */
  readonly addedMsMean: number | null;
}

export function emptyTally(): Tally {
  return {
    requests: 0,
    errors: 0,
    answers: 0,
    printedAsText: 0,
    printedCalls: 0,
    reachedAsText: 0,
    candidates: 0,
    attempts: 0,
    transformed: 0,
    wouldTransform: 0,
    abstained: 0,
    failed: 0,
    lost: 0,
    refused: 0,
    repairs: 0,
    nearMisses: 0,
    accepted: 0,
    rejected: 0,
    begun: 0,
    firstMs: 0,
    durationMs: 0,
    firstLog: 0,
    firstLogSquares: 0,
    durationLog: 0,
    durationLogSquares: 0,
    firstTimes: new Map(),
    durationTimes: new Map(),
    tokens: 0,
    addedMs: 0,
    addedMsMax: 0,
  };
}

export function addRequest(tally: Tally, line: RequestLine): void {
  const { printedAsText, firstMs, durationMs, addedMs } = line;
  tally.requests++;
  if (isErrorLine(line)) tally.errors++;
  if (isAnswerLine(line)) {
    tally.answers++;
    if (printedAsText) tally.printedAsText++;
  }
  tally.tokens += line.tokens ?? 0;
  if (firstMs != null) {
    tally.begun++;
    addTime(tally.firstTimes, firstMs);
    tally.firstMs += firstMs;
    tally.firstLog += logOf(firstMs);
    tally.firstLogSquares += logOf(firstMs) ** 2;
  }
  tally.durationMs += durationMs;
  addTime(tally.durationTimes, durationMs);
  tally.durationLog += logOf(durationMs);
  tally.durationLogSquares += logOf(durationMs) ** 2;
  tally.addedMs += addedMs;
  tally.addedMsMax = Math.max(tally.addedMsMax, addedMs);
}

/** Times differ by factors, so their logarithms are compared; shorter ones than a tenth of a millisecond are alike. */
function logOf(milliseconds: number): number {
  return Math.log(Math.max(0.1, milliseconds));
}

export function addDecision(tally: Tally, line: DecisionLine): void {
  const { isCandidate, isAttempt, isPrinted, isReached } = standingOf(line);
  if (isPrinted) tally.printedCalls++;
  if (isReached) tally.reachedAsText++;
  if (line.reason === "near_miss" && !line.repeats) tally.nearMisses++;
  if (line.reason === "plugin_refused" && !line.repeats) tally.refused++;
  if (line.outcome === "repaired") tally.repairs++;
  if (isAttempt) tally.attempts++;
  if (!isCandidate) return;
  tally.candidates++;
  if (line.outcome === "transformed") tally.transformed++;
  if (line.outcome === "would_transform") tally.wouldTransform++;
  if (endOf(line) === "left") tally.abstained++;
  if (line.outcome === "failed") tally.failed++;
  if (line.outcome === "lost") tally.lost++;
}

export function addResult(tally: Tally, { verdict }: ResultLine): void {
  tally[verdict]++;
}

export function addLine(tally: Tally, line: AuditLine): void {
  if (line.kind === "request") addRequest(tally, line);
  if (line.kind === "decision") addDecision(tally, line);
  if (line.kind === "result") addResult(tally, line);
}

export function figuresOf(tally: Tally): Figures {
  const { begun, firstMs, durationMs, addedMs, firstLog: _first, firstLogSquares: _firsts, ...rest } = tally;
  const { durationLog: _log, durationLogSquares: _squares, firstTimes, durationTimes, ...sums } = rest;
  const made = sums.transformed + sums.wouldTransform;
  return {
    ...sums,
    transformationRate: rate(made, sums.candidates),
    successRate: rate(made, sums.attempts),
    errorRate: rate(sums.errors, sums.requests),
    printedAsTextRate: rate(sums.printedAsText, sums.answers),
    reachedAsTextRate: rate(sums.reachedAsText, sums.printedCalls),
    acceptanceRate: rate(sums.accepted, sums.accepted + sums.rejected),
    firstMsMean: rate(firstMs, begun),
    durationMsMean: rate(durationMs, sums.requests),
    firstMsMedian: quantile(firstTimes, 0.5),
    firstMsSlow: quantile(firstTimes, 0.95),
    durationMsMedian: quantile(durationTimes, 0.5),
    durationMsSlow: quantile(durationTimes, 0.95),
    addedMsMean: rate(addedMs, sums.requests),
  };
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** Buckets for a time that doubles. Each is 9% wider than the one before, so a quantile is at most 5% off. */
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
