/**
 * What to do about an answer that looks like a call and that no rule reads: derive a rule from it here, or on the command
 * line. If its text isn't kept, how to keep the next one.
 *
 * @module
 */
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import type { LiveDetail, LiveRequest } from "../../live/request.ts";
import { handOver } from "../handover.ts";
import { html } from "../html.ts";
import { writeRoute } from "../route.ts";

export function NearMissStep(
  { request, detail }: { readonly request: LiveRequest; readonly detail: LiveDetail | undefined },
) {
  const { client, command } = request;
  const contents = detail?.contents ?? null;
  const text = contents?.before.map((part) => part.text).join("") ?? "";
  const give = () => void handOver({ text, client, chat: contents?.chat ?? null });
  return html`
    <section class="notice next" aria-labelledby="next-title">
      <h2 id="next-title">Near miss: the answer looks like a call that no rule reads</h2>
      ${text !== "" && html`
        <p><a class="button main" href=${writeRoute("playground", { from: "live", derive: "1" })}
            onClick=${give}>Derive a rule in the playground</a></p>
      `}
      ${command !== null && html`<${Command} command=${command} />`}
      ${text === "" && html`
        <p>The text of this answer isn’t kept, so no rule can be derived from it here. To keep the next one,
          set <code>admin.contents: true</code> in dragoman.yaml, which applies at once${command === null &&
            html`, or start <code>serve --record captures</code>`}.</p>
      `}
    </section>
  `;
}

function Command({ command }: { readonly command: string }) {
  const [state, setState] = useState("");
  const copy = async () => {
    // A page that isn't on this machine and has no TLS has no clipboard; a person copies the command then.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    const isDone = await clipboard?.writeText(command).then(() => true, () => false) ?? false;
    setState(isDone ? "Copied" : "The browser doesn’t let the page copy: select the command");
  };
  return html`
    <p>On the command line:</p>
    <pre class="text" tabindex="0" aria-label="The command">${command}</pre>
    <p><button onClick=${copy}>Copy the command</button> <span role="status" class="quiet">${state}</span></p>
  `;
}
