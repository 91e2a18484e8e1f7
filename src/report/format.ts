/**
 * Formats figures and names.
 *
 * @module
 */
import { escaped } from "../diagnostic/visible.ts";

/** `12.5 %`, or a dash without a rate. */
export function percent(rate: number | null): string {
  return rate === null ? "–" : `${(rate * 100).toFixed(1)} %`;
}

/** Escapes markup, and what changes the direction of other text or a terminal would obey. */
export function escapeHtml(text: string): string {
  return escaped(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
