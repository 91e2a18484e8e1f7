/** Shows a sentence in which code is between backticks, as in the messages of the command line. @module */
import { html } from "./html.ts";

/** The parts of a sentence, those between backticks as code. */
export function inlineCode(text: string): unknown[] {
  const parts = text.split("`");
  // Without a partner, the last backtick is an ordinary character.
  const isEven = parts.length % 2 === 1;
  return parts.map((part, index) => {
    if (index % 2 === 1 && (isEven || index < parts.length - 1)) return html`<code>${part}</code>`;
    return index % 2 === 1 ? `\`${part}` : part;
  });
}
