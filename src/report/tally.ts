/**
 * Sums over lines of the audit log, and the rates that follow from them.
 *
 * @module
 */
import type { DecisionLine, RequestLine } from "../audit/line.ts";

/** Sums that grow. */
export interface Tally {
  /** Requests. */
  requests: number;
  /** Requests to which the client got an error of ours or of the upstream. */
  errors: number;
  /** Answers that could leak: the request listed tools, and the answer came. */
  answers: number;
  /** Candidates, by what became of them. */
  transformed: number;
  /** Calls that a dry run or the canary kept back. */
  wouldTransform: number;
  /** Text that stayed text. */
  abstained: number;
  /** Announced calls that broke off. */
  failed: number;
  /** Repairs. */
  repairs: number;
  /** Requests with a call found in text. */
  readonly leaks: Set<string>;
  /** Our own work on answers, in milliseconds. */
  addedMs: number;
  /** The longest work on one answer, in milliseconds. */
  addedMsMax: number;
}

/** Sums and rates. A rate is null where there is nothing to divide by. */
export interface Figures extends Readonly<Omit<Tally, "leaks" | "addedMs">> {
  /** Candidates in all. */
  readonly candidates: number;
  /** Calls that were made or would have been, of all candidates. */
  readonly transformationRate: number | null;
  /** Calls that came whole, of those that were begun. */
  readonly successRate: number | null;
  /** Requests that ended in an error, of all. */
  readonly errorRate: number | null;
  /** Answers with a call found in text, of those that could have one. */
  readonly leakRate: number | null;
  /** Requests with a call found in text. */
  readonly leaked: number;
  /** Our own work on an answer on average, in milliseconds. */
  readonly addedMsMean: number | null;
}

/** The rule of calls that the upstream sent itself. */
const NATIVE_RULE = "native";

/** Sums that are all 0. */
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
export function addDecision(tally: Tally, { outcome, rule, request }: DecisionLine): void {
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
  if (isCall && rule !== NATIVE_RULE) tally.leaks.add(request);
}

/** The rates of the sums. */
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
