/** The answer that is tried, and what is known of its request. @module */
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import { parseJson } from "../../../engine/object/parse.ts";
import { isRecord } from "../../../engine/object/record.ts";
import { html } from "../html.ts";
import { SAMPLE_TOOLS } from "./sample.ts";
import type { PlayState } from "./state.ts";

interface AnswerPanelProperties {
  readonly play: PlayState;
  readonly change: (part: Partial<PlayState>) => void;
  readonly open: (text: string) => void;
  readonly clients: readonly string[];
}

export function AnswerPanel({ play, change, open, clients }: AnswerPanelProperties) {
  const value = ({ target }: InputEvent) => (target as HTMLTextAreaElement | HTMLSelectElement).value;
  // Only the state at first: later, the person opens and closes it.
  const [isOpen] = useState(play.tools.trim() === "");
  const paste = (pasted: ClipboardEvent) => {
    const text = pasted.clipboardData?.getData("text/plain") ?? "";
    if (!looksLikeCapture(text)) return;
    pasted.preventDefault();
    open(text);
  };
  return html`
    <section aria-labelledby="answer-title">
      <h2 id="answer-title"><label for="answer">The model's answer</label></h2>
      <textarea id="answer" class="mono" rows="9" spellcheck=${false} value=${play.text} onPaste=${paste}
        aria-describedby="answer-help"
        onInput=${(input: InputEvent) => change({ text: value(input) })}></textarea>
      <p id="answer-help"
        class="quiet small">Paste what the model printed, or a file that <code>serve --record</code> wrote.</p>
      <div class="fields">
        <div>
          <label for="client">Client</label>
          <select id="client" value=${play.client} onInput=${(input: InputEvent) =>
            change({ client: value(input) })}>
            <option value="">as the request shows</option>
            ${clients.map((name) => html`<option value=${name}>${name}</option>`)}
          </select>
        </div>
      </div>
      <details open=${isOpen}>
        <summary>Offered tools</summary>
        <textarea id="tools" class="mono" rows="5" spellcheck=${false} value=${play.tools}
          aria-label="Offered tools"
          aria-describedby="tools-help"
          onInput=${(input: InputEvent) => change({ tools: value(input) })}></textarea>
        <p id="tools-help" class="quiet small">
          A request as JSON, its <code>tools</code>, names, or <code>read_file: { path: string, line: integer? }</code>.
          Without tools, every name counts as a tool.${" "}
          <button type="button" onClick=${() => change({ tools: SAMPLE_TOOLS })}>Use sample tools</button>
        </p>
      </details>
    </section>
  `;
}

/** Whether a text seems to be a file of `serve --record`; the engine decides. */
function looksLikeCapture(text: string): boolean {
  const value = text.trimStart().startsWith("{") ? parseJson(text) : undefined;
  return isRecord(value) && typeof value["text"] === "string" && typeof value["client"] === "string";
}
