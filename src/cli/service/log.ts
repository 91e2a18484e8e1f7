/** The log of a running server: a line for each request, and messages, for a person or as JSON (`--log-format json`). @module */
import type { AuditLine } from "../../admin/audit/line.ts";
import { ENDS } from "../../admin/audit/ends.ts";
import { endsOf, type RequestSummary, summarize, summarizeUnwatched } from "../../admin/audit/summary.ts";
import { visible, visibleJson } from "../../engine/diagnostic/visible.ts";
import type { UnwatchedRequest } from "../../proxy/exchange/watch.ts";
import type { CliContext } from "./context.ts";
import { isErrorLine } from "../../admin/audit/classification.ts";
import { textWidth } from "../../engine/diagnostic/width.ts";
import { clock, duration } from "../../engine/diagnostic/figures.ts";

export interface LogOptions {
  /** `text` for a person, `json` for a program. */
  readonly format: "text" | "json";
  /** Whether nothing about requests is printed. */
  readonly isQuiet: boolean;
}

export interface Log {
  /** The context whose output is the log: with JSON, each text that is printed becomes an object. */
  readonly context: CliContext;
  /** The context for what is printed about single requests; a quiet log drops it. */
  readonly requestContext: CliContext;
  add(lines: readonly AuditLine[]): void;
  addUnwatched(request: UnwatchedRequest): void;
}

export function openLog(context: CliContext, { format, isQuiet }: LogOptions): Log {
  const printed = format === "json" ? jsonContext(context) : context;
  const lines = new RequestLines({ isAligned: context.isTty, hasColors: context.isTerminal });
  const write = (summary: RequestSummary) =>
    context.stdout(
      format === "json" ? objectLine("request", levelOf(summary), summary) : lines.format(summary),
    );
  return {
    context: printed,
    requestContext: isQuiet ? { ...printed, stdout: () => {} } : printed,
    add(lines) {
      const summary = isQuiet ? undefined : summarize(lines);
      if (summary !== undefined) write(summary);
    },
    addUnwatched(request) {
      if (!isQuiet) write(summarizeUnwatched(request));
    },
  };
}

type Level = "info" | "warn" | "error";

interface Message {
  readonly beganAt: number;
  readonly text: string;
}

/** A context whose output is one JSON object for each text. */
function jsonContext(context: CliContext): CliContext {
  const message = (level: Level, text: string) =>
    text.trim() === "" ? "" : objectLine("message", level, { beganAt: Date.now(), text: text.trim() });
  return {
    ...context,
    isTerminal: false,
    isTty: false,
    stdout: (text) => context.stdout(message("info", text)),
    stderr: (text) => context.stderr(message("error", text)),
  };
}

function objectLine(kind: string, level: Level, { beganAt, ...fields }: RequestSummary | Message): string {
  return `${visibleJson({ time: new Date(beganAt).toISOString(), level, kind, ...fields })}\n`;
}

interface LineStyle {
  readonly isAligned: boolean;
  readonly hasColors: boolean;
}

/** The widest that a column gets; a longer name is cut. */
const WIDTH_MAX = 32;

const MESSAGE_WIDTH_MAX = 160;

/** Formats lines one after the other. A column is as wide as its widest cell so far. */
export class RequestLines {
  readonly #style: LineStyle;
  readonly #widths = [8, 8, 12, 8, 3, 6, 6];

  constructor(style: LineStyle) {
    this.#style = style;
  }

  format(summary: RequestSummary): string {
    const { client, wire, key, model, upstream, tried, firstMs, durationMs } = summary;
    const name = (text: string | null) =>
      text === null || text === "" ? "-" : visible(text, { lengthMax: WIDTH_MAX });
    const cells = [
      clock(summary.beganAt),
      // Most clients speak the API of the upstreams.
      name(client) + (wire === null || wire === "chat" ? "" : ` on ${wire}`) +
      (key === null ? "" : ` as ${name(key)}`),
      name(model),
      name(upstream) + (tried.length === 0 ? "" : ` after ${tried.map(name).join(", ")}`),
      statusText(summary),
      firstMs === null ? "-" : duration(Math.round(firstMs)),
      duration(Math.round(durationMs)),
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

/** The status, and the word `error` where the status is that of a good answer but the answer has an error in it. */
function statusText({ status, error }: Pick<RequestSummary, "status" | "error">): string {
  return status < 400 && isErrorLine({ status, error }) ? `${status} error` : String(status);
}

function eventText(summary: RequestSummary): string {
  const { remarks, error, message, route } = summary;
  const parts = [
    ...endsOf(summary).map(({ text, more }) => visible(`${text} ${more}`.trimEnd())),
    ...remarks,
    ...(error === null ? [] : [error]),
  ];
  const place = route === null ? "" : visible(route);
  const cause = message === null ? "" : visible(message, { lengthMax: MESSAGE_WIDTH_MAX });
  return [parts.join(", "), cause, place].filter((part) => part !== "").join(": ");
}

const RED = 31;
const GREEN = 32;
const YELLOW = 33;
const GRAY = 90;

/** How serious a request is, for programs that sort log lines: `error`, `warn` for something to look at, or `info`. */
function levelOf(summary: RequestSummary): Level {
  if (isErrorLine(summary)) return "error";
  const colors = endsOf(summary).map(({ end }) => ENDS[end].color);
  return colors.includes("bad") ? "error" : colors.includes("warn") ? "warn" : "info";
}

/** A line in the color of how its request ended: an error, something to look at, a call, or nothing. */
function painted(line: string, summary: RequestSummary): string {
  const color = { error: RED, warn: YELLOW, info: summary.calls > 0 ? GREEN : GRAY }[levelOf(summary)];
  return `\x1b[${color}m${line}\x1b[0m`;
}
