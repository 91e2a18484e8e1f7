/**
 * Formats one request as one line of the terminal: what came in, how it ended, and what became of its calls. Nothing of
 * its contents, except the beginning of the upstream's error.
 *
 *     09:05:07  openai  qwen3-coder  local  200  412 ms  2.31 s  1 call, 2 left as text (quoted)
 *     09:05:07  claude_code on anthropic  qwen3-coder  local  200  412 ms  2.31 s  1 call
 *     09:05:07  claude_code on anthropic as alice  qwen3-coder  local  200  412 ms  2.31 s  1 call
 *     09:05:08  openai  qwen3-coder  local  200 error  -       30 ms   upstream_error: out of memory
 *     09:05:09  -       -            -      401  -       1 ms    invalid_api_key: POST /v1/chat/completions
 *
 * @module
 */
import { isErrorLine } from "../../desk/audit/standing.ts";
import { leftText, type RequestSummary } from "../../desk/audit/summary.ts";
import { visible } from "../../engine/diagnostic/visible.ts";
import { textWidth } from "../../engine/diagnostic/width.ts";
import { clock, duration, plural } from "../../engine/diagnostic/figures.ts";

export interface LineStyle {
  /** Whether columns are aligned, for a terminal. */
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
export function statusText({ status, error }: Pick<RequestSummary, "status" | "error">): string {
  return status < 400 && isErrorLine({ status, error }) ? `${status} error` : String(status);
}

function eventText(
  { mode, calls, leftAsText, failed, repaired, nearMisses, error, message, route }: RequestSummary,
): string {
  const left = leftText(leftAsText);
  const would = mode === "live" ? "" : mode === "dry_run" ? " (dry run)" : " (not converted: canary)";
  const parts = [
    ...(calls === 0 ? [] : [`${plural(calls, "call")}${would}`]),
    ...(left === "" ? [] : [left]),
    ...(failed === 0 ? [] : [`${failed} broke off`]),
    ...(repaired === 0 ? [] : [`${repaired} repaired`]),
    ...(nearMisses === 0 ? [] : [plural(nearMisses, "near miss", "near misses")]),
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

/** A line in the color of how its request ended: an error, something to look at, a call, or nothing. */
function painted(line: string, summary: RequestSummary): string {
  const { error, failed, leftAsText, nearMisses, calls } = summary;
  const isDoubtful = failed > 0 || nearMisses > 0 || Object.keys(leftAsText).length > 0 || error !== null;
  const color = isErrorLine(summary) ? RED : isDoubtful ? YELLOW : calls > 0 ? GREEN : GRAY;
  return `\x1b[${color}m${line}\x1b[0m`;
}
