/**
 * One request in one value, for the terminal and the page: what came in, how it ended, and what became of its calls.
 * Nothing of its contents.
 *
 * @module
 */
import { present } from "../../engine/object/present.ts";
import { isDecision, reasonEntry } from "../../engine/event/reason.ts";
import type { UnwatchedRequest } from "../../proxy/exchange/watch.ts";
import type { AuditLine, DecisionLine, RequestLine } from "./line.ts";

export interface RequestSummary {
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** The client; null if it is unknown. */
  readonly client: string | null;
  /** The API that the client speaks; null if the request isn't a chat. */
  readonly wire: string | null;
  /** The name of the client's key; null if it has none. */
  readonly key: string | null;
  readonly model: string | null;
  /** The upstream's name; null if none was chosen. */
  readonly upstream: string | null;
  readonly tried: readonly string[];
  /** The tokens of the prompt, and those of them that came from the server's cache; absent if the upstream states none. */
  readonly promptTokens?: number;
  readonly cachedTokens?: number;
  readonly mode: RequestLine["mode"];
  readonly status: number;
  /** The code of the error; null without an error. */
  readonly error: string | null;
  /** The upstream's text of that error; null if it stated none. */
  readonly message: string | null;
  /** From the arrival to the first token, in milliseconds; null if none arrived. */
  readonly firstMs: number | null;
  /** From the arrival to the end, in milliseconds. */
  readonly durationMs: number;
  /** The number of calls that the client got, or would have got. */
  readonly calls: number;
  /** Reason code → how many candidates were left as text for it, without near misses. */
  readonly leftAsText: Readonly<Record<string, number>>;
  /** The number of announced calls that broke off. */
  readonly failed: number;
  readonly repaired: number;
  readonly nearMisses: number;
  /** What else was worth a word: `kept alive`. */
  readonly remarks: readonly string[];
  /** The method and path of a request that isn't a chat, or that was refused. */
  readonly route: string | null;
}

/** `3 left as text (2 malformed, truncated)`, or nothing. */
export function leftText(leftAsText: RequestSummary["leftAsText"]): string {
  const reasons = Object.entries(leftAsText);
  const sum = reasons.reduce((sum, [, count]) => sum + count, 0);
  const listed = reasons.map(([reason, count]) => count === 1 ? reason : `${count} ${reason}`);
  const shown = reasons.length === 1 ? [reasons[0]![0]] : listed;
  return sum === 0 ? "" : `${sum} left as text (${shown.join(", ")})`;
}

export function summarize(lines: readonly AuditLine[]): RequestSummary | undefined {
  const line = lines.find((line): line is RequestLine => line.kind === "request");
  if (line === undefined) return undefined;
  const decisions = lines.filter((line): line is DecisionLine => line.kind === "decision");
  const leftAsText: Record<string, number> = {};
  for (const { outcome, reason, repeats } of decisions) {
    if (outcome !== "abstained" || reason === "near_miss" || !isDecision(reason) || repeats) continue;
    leftAsText[reason] = (leftAsText[reason] ?? 0) + 1;
  }
  const {
    client,
    wire = null,
    key = null,
    model,
    upstream,
    mode,
    status,
    error,
    message,
    firstMs,
    durationMs,
    calls,
  } = line;
  return {
    beganAt: Date.parse(line.time),
    ...{ client, wire, key, model, upstream, mode, status, error, message, firstMs, durationMs, calls },
    leftAsText,
    ...present({ promptTokens: line.promptTokens, cachedTokens: line.cachedTokens }),
    tried: line.tried ?? [],
    failed: decisions.filter(({ outcome }) => outcome === "failed").length,
    repaired: decisions.filter(({ outcome }) => outcome === "repaired").length,
    remarks: [...new Set(decisions.flatMap(({ reason }) => wordOf(reason) ?? []))],
    nearMisses: decisions.filter(({ reason, repeats }) => reason === "near_miss" && !repeats).length,
    route: null,
  };
}

function wordOf(reason: DecisionLine["reason"]): string | undefined {
  const entry = reasonEntry(reason);
  return entry.kind === "decision" ? undefined : entry.word;
}

/** What is known of the calls of a request that has no answer yet, or none that is read. */
export const NOTHING_SEEN = {
  calls: 0,
  leftAsText: {},
  tried: [],
  failed: 0,
  repaired: 0,
  nearMisses: 0,
  remarks: [],
} as const;

export function summarizeUnwatched(request: UnwatchedRequest): RequestSummary {
  const { beganAt, method, path, wire = null, key = null, status, error = null, durationMs } = request;
  return {
    ...{ beganAt, wire, key, status, error, durationMs },
    client: null,
    model: null,
    upstream: null,
    mode: "live",
    message: null,
    firstMs: null,
    ...NOTHING_SEEN,
    route: `${method} ${path}`.trim() || null,
  };
}
