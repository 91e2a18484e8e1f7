/** Formats rows in aligned columns for a terminal. @module */
import { escaped } from "../engine/diagnostic/visible.ts";
import { textWidth } from "../engine/diagnostic/width.ts";

/**
 * The rows under their heading, two spaces between columns; every line ends with a newline. Names in the cells come from
 * models and requests, so the table escapes what a terminal would obey.
 */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(escaped));
  const widths = head.map((_, column) => Math.max(...all.map((row) => textWidth(row[column] ?? ""))));
  return all.map((row) => {
    const cells = row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - textWidth(cell)));
    return `${cells.join("  ").trimEnd()}\n`;
  }).join("");
}
