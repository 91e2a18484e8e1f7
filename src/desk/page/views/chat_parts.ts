/**
 * The request itself, part by part: a prompt of an agent is too long to read in one piece.
 *
 * @module
 */
import { useMemo } from "preact/hooks";
import { partsOf } from "../chat_parts.ts";
import { html } from "../html.ts";

/** The parts, closed at first. */
export function ChatParts({ chat }: { readonly chat: string }) {
  // It may be long, and the view is drawn again with every change and every decision that the mouse is over.
  const parts = useMemo(() => partsOf(chat), [chat]);
  return html`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${parts.map(({ title, summary, text }) =>
        html`
          <details>
            <summary><strong>${title}</strong><span class="quiet">${summary}</span></summary>
            <pre>${text}</pre>
          </details>
        `
      )}
    </section>
  `;
}
