/**
 * Lists the calls of an audit log, one line each: when, by which rule, which tool, what became of it, and its arguments if
 * the log includes contents.
 *
 *     2026-05-01T10:00:00.000Z  qwen_xml  read_file  transformed  {"path":"a.txt"}
 *
 * @module
 */
import type { DecisionLine } from "../desk/audit/line.ts";
import { standingOf } from "../desk/audit/standing.ts";
import { escaped, visibleJson } from "../engine/diagnostic/visible.ts";
import { readLine } from "../desk/report/read_line.ts";

/** The line of a call, with its newline; undefined if a line of the log isn't about a call that the model meant. */
export function callLine(text: string, { isJson }: { readonly isJson: boolean }): string | undefined {
  const line = text.trim() === "" ? undefined : readLine(text);
  if (line?.kind !== "decision" || !standingOf(line).isAttempt) return undefined;
  return `${isJson ? visibleJson(objectOf(line)) : textOf(line)}\n`;
}

function objectOf(
  { time, client, model, rule, tool, outcome, reason, rendered, written }: DecisionLine,
): object {
  return { time, client, model, rule, tool, outcome, reason, arguments: rendered, written };
}

function textOf({ time, rule, tool, reason, rendered = "", written = "" }: DecisionLine): string {
  const cells = [time, rule, tool ?? "-", reason, rendered, written.trim().replaceAll("\n", "\\n")];
  return cells.map((cell) => escaped(cell)).join("  ").trimEnd();
}
