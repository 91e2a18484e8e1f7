/** One request in one value, for the terminal and the page: how it ended, what became of its calls; no contents. @module */
import { present } from "../../engine/object/present.ts";
import { isDecision, reasonEntry } from "../../engine/event/reason.ts";
import type { UnwatchedRequest } from "../../proxy/exchange/watch.ts";
import { plural } from "../../engine/diagnostic/figures.ts";
import { type End, endOf, ENDS } from "./ends.ts";
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
  /** The tokens of the prompt and the answer; absent if the upstream states none. */
  readonly tokens?: number;
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
  /** The tools of these calls, the first ones. */
  readonly called: readonly string[];
  /** Reason code → how many candidates were left as text for it, without near misses. */
  readonly leftAsText: Readonly<Record<string, number>>;
  /** The number of announced calls that broke off. */
  readonly failed: number;
  /** The number of calls that were cut off and left the answer. */
  readonly lost: number;
  /** The number of calls that a plugin refused. */
  readonly refused: number;
  /** The number of calls that were sent before, or too many for the client. */
  readonly dropped: number;
  readonly repaired: number;
  readonly nearMisses: number;
  /** What else was worth a word: `kept alive`. */
  readonly remarks: readonly string[];
  /** The method and path of a request that isn't a chat, or that was refused. */
  readonly route: string | null;
}

/** How many calls of a request ended in one way: `3 left as text`, `(2 malformed, truncated)`. */
interface EndCount {
  readonly end: End;
  readonly text: string;
  /** The reasons or the tools, in parentheses; empty if there is no more to say. */
  readonly more: string;
}

type Ended = Pick<
  RequestSummary,
  | "mode"
  | "calls"
  | "called"
  | "leftAsText"
  | "failed"
  | "lost"
  | "refused"
  | "dropped"
  | "repaired"
  | "nearMisses"
>;

/** What became of the calls of a request, each end with its own words. */
export function endsOf(summary: Ended): readonly EndCount[] {
  const { mode, calls, called, leftAsText, failed, lost, refused, dropped, repaired, nearMisses } = summary;
  const reasons = Object.entries(leftAsText);
  const left = reasons.reduce((sum, [, count]) => sum + count, 0);
  const listed = reasons.map(([reason, count]) => count === 1 ? reason : `${count} ${reason}`);
  const shown = reasons.length === 1 ? [reasons[0]![0]] : listed;
  const made = mode === "live" ? "made" : "would";
  const why = mode === "live"
    ? ""
    : mode === "dry_run"
    ? "(not converted: dry run)"
    : "(not converted: canary)";
  const ends: readonly (readonly [end: End, count: number, text: string, more?: string])[] = [
    [made, calls, calledText(called, calls), why],
    ["lost", lost, `${lost} ${ENDS.lost.word}`],
    ["broken", failed, `${failed} ${ENDS.broken.word}`],
    ["refused", refused, `${refused} ${ENDS.refused.word}`],
    ["near", nearMisses, plural(nearMisses, "near miss", "near misses")],
    ["left", left, `${left} ${ENDS.left.word}`, `(${shown.join(", ")})`],
    ["dropped", dropped, `${dropped} ${ENDS.dropped.word}`],
    ["repaired", repaired, plural(repaired, "repair")],
  ];
  return ends.filter(([, count]) => count > 0).map(([end, , text, more = ""]) => ({ end, text, more }));
}

const TOOLS_SHOWN = 3;

/** `write_file ×1, read_file ×2`, or the number of calls if their tools aren't known. */
function calledText(called: readonly string[], calls: number): string {
  const counts = new Map<string, number>();
  for (const tool of called) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  if (counts.size === 0) return plural(calls, "call");
  const shown = [...counts].slice(0, TOOLS_SHOWN);
  const rest = calls - shown.reduce((sum, [, count]) => sum + count, 0);
  return shown.map(([tool, count]) => `${tool} ×${count}`).join(", ") + (rest > 0 ? `, ${rest} more` : "");
}

export function summarize(lines: readonly AuditLine[]): RequestSummary | undefined {
  const line = lines.find((line): line is RequestLine => line.kind === "request");
  if (line === undefined) return undefined;
  const decisions = lines.filter((line): line is DecisionLine => line.kind === "decision");
  const count = (end: End) => decisions.filter((line) => !line.repeats && endOf(line) === end).length;
  const leftAsText: Record<string, number> = {};
  for (const { outcome, reason, repeats } of decisions) {
    if (endOf({ outcome, reason }) !== "left" || !isDecision(reason) || repeats) continue;
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
    called: line.called ?? [],
    leftAsText,
    ...present({
      promptTokens: line.promptTokens,
      cachedTokens: line.cachedTokens,
      tokens: line.tokens ?? undefined,
    }),
    tried: line.tried ?? [],
    failed: count("broken"),
    lost: count("lost"),
    refused: count("refused"),
    dropped: count("dropped"),
    repaired: count("repaired"),
    nearMisses: count("near"),
    remarks: [...new Set(decisions.flatMap(({ reason }) => wordOf(reason) ?? []))],
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
  called: [],
  leftAsText: {},
  tried: [],
  failed: 0,
  lost: 0,
  refused: 0,
  dropped: 0,
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
