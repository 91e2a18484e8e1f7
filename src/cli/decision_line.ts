/**
 * Formats one decision as one line, for `serve --verbose`.
 *
 *     09:05:07  openai     qwen_xml         write_file           transformed
 *
 * @module
 */
import type { ContentEvent } from "../engine/event/event.ts";
import { clock } from "../engine/diagnostic/figures.ts";
import type { About } from "../proxy/exchange/exchange.ts";
import { visible } from "../engine/diagnostic/visible.ts";

/** The line with its newline; an empty text for events that are not notes. */
export function decisionLine(
  event: ContentEvent,
  { client, date }: Pick<About, "client"> & { date: Date },
): string {
  if (event.kind !== "note") return "";
  const { rule, tool = "-", reason, detail } = event;
  const names = [visible(client).padEnd(9), visible(rule).padEnd(15), visible(tool).padEnd(19)];
  const columns = [clock(date.getTime()), ...names];
  return `${columns.join("  ")}  ${reason}${
    detail === undefined || detail === "" ? "" : ` (${visible(detail)})`
  }\n`;
}
