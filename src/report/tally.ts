/**
 * Sums over lines of the audit log, and rates derived from them.
 *
 * @module
 */
import type { DecisionLine, RequestLine } from "../audit/line.ts";

/** Running sums. */
export interface Tally {
  /** Requests. */
  requests: number;
  /** Requests that ended with an error from Dragoman or the upstream. */
  errors: number;
  /** Answers that could leak: the request listed tools, and an answer arrived. */
  answers: number;
  /** Candidates that became calls. */
  transformed: number;
  /** Calls that a dry run or the canary held back. */
  wouldTransform: number;
  /** Candidates left as text. */
  abstained: number;
  /** Announced calls that broke off. */
  failed: number;
  /** Repairs. */
  repairs: number;
  /** Answers that look like a call that no rule reads. */
  nearMisses: number;
  /** Requests with a call in their text, read or missed. */
  readonly leaks: Set<string>;
  /** Dragoman's own work on answers, in milliseconds. */
  addedMs: number;
  /** The longest work on one answer, in milliseconds. */
  addedMsMax: number;
}

/** Sums and rates. A rate is null if its divisor is zero. */
export interface Figures extends Readonly<Omit<Tally, "leaks" | "addedMs">> {
  /** All candidates. */
  readonly candidates: number;
  /** The share of candidates that became calls or would have. */
  readonly transformationRate: number | null;
  /** The share of started calls that ended whole. */
  readonly successRate: number | null;
  /** The share of requests that ended with an error. */
  readonly errorRate: number | null;
  /** The share of answers with a call in their text, read or missed. */
  readonly leakRate: number | null;
  /** Requests with a call in their text, read or missed. */
  readonly leaked: number;
  /** Dragoman's own work per answer, in milliseconds. */
  readonly addedMsMean: number | null;
}

/** The rule of calls that the upstream sent itself. */
const NATIVE_RULE = "native";

/** Creates sums at zero. */
export function emptyTally(): Tally {
  return {
    requests: 0,
    errors: 0,
    answers: 0,
    transformed: 0,
    wouldTransform: 0,
    abstained: 0,
    failed: 0,
    repairs: 0,
    nearMisses: 0,
    leaks: new Set(),
    addedMs: 0,
    addedMsMax: 0,
  };
}

/** Adds a request. */
export function addRequest(tally: Tally, { status, error, tools, client, addedMs }: RequestLine): void {
  tally.requests++;
  const isError = status >= 400 || (error !== null && error !== "client_left");
  if (isError) tally.errors++;
  else if (tools > 0 && client !== null) tally.answers++;
  tally.addedMs += addedMs;
  tally.addedMsMax = Math.max(tally.addedMsMax, addedMs);
}

/** Adds a decision or a repair. */
export function addDecision(tally: Tally, { outcome, rule, reason, request }: DecisionLine): void {
  switch (outcome) {
    case "transformed":
      tally.transformed++;
      break;
    case "would_transform":
      tally.wouldTransform++;
      break;
    case "abstained":
      tally.abstained++;
      break;
    case "failed":
      tally.failed++;
      break;
    case "repaired":
      tally.repairs++;
      break;
    case "noted":
      break;
  }
  const isCall = outcome === "transformed" || outcome === "would_transform" || outcome === "failed";
  if (reason === "near_miss") tally.nearMisses++;
  if ((isCall && rule !== NATIVE_RULE) || reason === "near_miss") tally.leaks.add(request);
}

/** Computes the rates. */
export function figuresOf({ leaks, addedMs, ...sums }: Tally): Figures {
  const made = sums.transformed + sums.wouldTransform;
  const candidates = made + sums.abstained + sums.failed;
  return {
    ...sums,
    candidates,
    transformationRate: rate(made, candidates),
    successRate: rate(made, made + sums.failed),
    errorRate: rate(sums.errors, sums.requests),
    leaked: leaks.size,
    leakRate: sums.answers === 0 ? null : Math.min(1, leaks.size / sums.answers),
    addedMsMean: rate(addedMs, sums.requests),
  };
}

function rate(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
