/** Text in HTML that is written as text. @module */
import { escaped } from "../../engine/diagnostic/visible.ts";

/** Escapes markup, and what changes the direction of other text or a terminal would obey. */
export function escapeHtml(text: string): string {
  return escaped(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll(
    '"',
    "&quot;",
  );
}
