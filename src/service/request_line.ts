/**
 * Formats one request as one line of the terminal: what came in, how it ended, and what became of its calls. Nothing of
 * its contents.
 *
 *     09:05:07  openai  qwen3-coder  local  200  412 ms  2.31 s  1 call, 2 refused (quoted)
 *     09:05:09  -       -            -      401  -       1 ms    invalid_api_key: POST /v1/chat/completions
 *
 * @module
 */
import type { AuditLine, DecisionLine, RequestLine } from "../audit/line.ts";
import { isErrorLine } from "../audit/standing.ts";
import { visible } from "../diagnostic/visible.ts";
import { textWidth } from "../diagnostic/width.ts";
import { isDecision } from "../event/reason.ts";
import type { UnwatchedRequest } from "../http/watch.ts";
import { clockTime } from "./clock.ts";

/** What a line shows of a request. */
export interface RequestSummary {
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** The client; null if it is unknown. */
  readonly client: string | null;
  /** The model that the client names. */
  readonly model: string | null;
  /** The upstream's name; null if none was chosen. */
  readonly upstream: string | null;
  /** Whether calls were converted. */
  readonly mode: RequestLine["mode"];
  /** The HTTP status. */
  readonly status: number;
  /** The code of the error; null without an error. */
  readonly error: string | null;
  /** From the arrival to the first token, in milliseconds; null if none arrived. */
  readonly firstMs: number | null;
  /** From the arrival to the end, in milliseconds. */
  readonly durationMs: number;
  /** The number of calls that the client got, or would have got. */
  readonly calls: number;
  /** Reason code → how often a candidate was left as text, without near misses. */
  readonly refused: Readonly<Record<string, number>>;
  /** The number of announced calls that broke off. */
  readonly failed: number;
  /** The number of repairs. */
  readonly repaired: number;
  /** The number of near misses. */
  readonly nearMisses: number;
  /** The method and path of a request that isn't a chat, or that was refused. */
  readonly route: string | null;
}

/** The summary of a finished request, from its lines for the audit log. */
export function summarize(lines: readonly AuditLine[]): RequestSummary | undefined {
  const line = lines.find((line): line is RequestLine => line.kind === "request");
  if (line === undefined) return undefined;
  const decisions = lines.filter((line): line is DecisionLine => line.kind === "decision");
  const refused: Record<string, number> = {};
  for (const { outcome, reason } of decisions) {
    if (outcome !== "abstained" || reason === "near_miss" || !isDecision(reason)) continue;
    refused[reason] = (refused[reason] ?? 0) + 1;
  }
  const { client, model, upstream, mode, status, error, firstMs, durationMs, calls } = line;
  return {
    beganAt: Date.parse(line.time),
    ...{ client, model, upstream, mode, status, error, firstMs, durationMs, calls },
    refused,
    failed: decisions.filter(({ outcome }) => outcome === "failed").length,
    repaired: decisions.filter(({ outcome }) => outcome === "repaired").length,
    nearMisses: decisions.filter(({ reason }) => reason === "near_miss").length,
    route: null,
  };
}

/** The summary of a request that no watch gets. */
export function summarizeUnwatched(request: UnwatchedRequest): RequestSummary {
  const { beganAt, method, path, status, error = null, durationMs } = request;
  return {
    ...{ beganAt, status, error, durationMs },
    client: null,
    model: null,
    upstream: null,
    mode: "live",
    firstMs: null,
    calls: 0,
    refused: {},
    failed: 0,
    repaired: 0,
    nearMisses: 0,
    route: `${method} ${path}`.trim() || null,
  };
}

/** How lines look. */
export interface LineStyle {
  /** Whether columns are aligned, for a terminal. */
  readonly isAligned: boolean;
  /** Whether there are colors. */
  readonly hasColors: boolean;
}

/** The widest that a column gets; a longer name is cut. */
const WIDTH_MAX = 32;

/** Formats lines one after the other. A column is as wide as its widest cell so far. */
export class RequestLines {
  readonly #style: LineStyle;
  readonly #widths = [8, 8, 12, 8, 3, 6, 6];

  /** Starts with narrow columns. */
  constructor(style: LineStyle) {
    this.#style = style;
  }

  /** The line of a request, with its newline. */
  format(summary: RequestSummary): string {
    const { client, model, upstream, status, firstMs, durationMs } = summary;
    const name = (text: string | null) =>
      text === null || text === "" ? "-" : visible(text, { lengthMax: WIDTH_MAX });
    const cells = [
      clockTime(new Date(summary.beganAt)),
      name(client),
      name(model),
      name(upstream),
      String(status),
      firstMs === null ? "-" : durationText(firstMs),
      durationText(durationMs),
    ];
    const columns = this.#style.isAligned ? cells.map((cell, column) => this.#pad(cell, column)) : cells;
    const line = `${columns.join("  ")}  ${eventText(summary)}`.trimEnd();
    return `${this.#style.hasColors ? painted(line, summary) : line}\n`;
  }

  #pad(cell: string, column: number): string {
    const width = this.#widths[column] = Math.max(this.#widths[column] ?? 0, textWidth(cell));
    return cell + " ".repeat(width - textWidth(cell));
  }
}

/** `412 ms`, `2.31 s`, `75.2 s`. */
function durationText(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(milliseconds < 59_995 ? 2 : 1)} s`;
}

/** What happened in a request, in a few words. */
function eventText(
  { mode, calls, refused, failed, repaired, nearMisses, error, route }: RequestSummary,
): string {
  const reasons = Object.keys(refused);
  const refusals = Object.values(refused).reduce((sum, count) => sum + count, 0);
  const would = mode === "live" ? "" : mode === "dry_run" ? " (dry run)" : " (not converted: canary)";
  const parts = [
    ...(calls === 0 ? [] : [`${calls} ${calls === 1 ? "call" : "calls"}${would}`]),
    ...(refusals === 0 ? [] : [`${refusals} refused (${reasons.join(", ")})`]),
    ...(failed === 0 ? [] : [`${failed} broke off`]),
    ...(repaired === 0 ? [] : [`${repaired} repaired`]),
    ...(nearMisses === 0 ? [] : [`${nearMisses} near ${nearMisses === 1 ? "miss" : "misses"}`]),
    ...(error === null ? [] : [error]),
  ];
  const place = route === null ? "" : visible(route);
  return [parts.join(", "), place].filter((part) => part !== "").join(": ");
}

const RED = 31;
const GREEN = 32;
const YELLOW = 33;
const GRAY = 90;

/** A line in the color of how its request ended: an error, something to look at, a call, or nothing. */
function painted(line: string, summary: RequestSummary): string {
  const { error, failed, refused, nearMisses, calls } = summary;
  const isDoubtful = failed > 0 || nearMisses > 0 || Object.keys(refused).length > 0 || error !== null;
  const color = isErrorLine(summary) ? RED : isDoubtful ? YELLOW : calls > 0 ? GREEN : GRAY;
  return `\x1b[${color}m${line}\x1b[0m`;
}
