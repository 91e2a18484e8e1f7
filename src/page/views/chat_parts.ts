/**
 * The request itself, part by part: a prompt of an agent is too long to read in one piece.
 *
 * @module
 */
import { partsOf } from "../chat_parts.ts";
import { html } from "../html.ts";

/** The parts, closed at first. */
export function ChatParts({ chat }: { readonly chat: string }) {
  return html`
    <section class="parts" aria-labelledby="parts-title">
      <h2 id="parts-title">The request</h2>
      ${partsOf(chat).map(({ title, summary, text }) =>
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
