/**
 * What someone can do with a request: copy it as a command, and take its answer to the playground.
 *
 * @module
 */
/// <reference lib="dom" />
import { useState } from "preact/hooks";
import type { LiveDetail, LiveRequest } from "../../live/request.ts";
import { curlOf } from "../curl.ts";
import { handOver } from "../handover.ts";
import { html } from "../html.ts";

/** The buttons; none without texts. */
export function Actions(
  { request, detail }: { readonly request: LiveRequest; readonly detail: LiveDetail | undefined },
) {
  const [command, setCommand] = useState("");
  const [isCopied, setCopied] = useState(false);
  const contents = detail?.contents;
  if (contents === undefined || contents === null) return null;
  const { chat, before } = contents;
  const text = before.map((part) => part.text).join("");
  const copy = async () => {
    const command = curlOf(request, { chat: chat ?? "", origin: location.origin });
    // A page that isn't on this machine and has no TLS has no clipboard; a person copies the command then.
    const clipboard: Clipboard | undefined = navigator.clipboard;
    const isDone = await clipboard?.writeText(command).then(() => true, () => false) ?? false;
    setCopied(isDone);
    setCommand(isDone ? "" : command);
  };
  return html`
    <span class="actions">
      <span role="status" class="quiet">${isCopied ? "Copied" : ""}</span>
      ${chat !== null && html`<button onClick=${copy} title="The command has no key">Copy as curl</button>`}
      ${text !== "" && html`
        <a class="button" href="#/playground?from=live"
          onClick=${() => void handOver({ text, client: request.client, chat })}>Open in the playground</a>
      `}
    </span>
    ${command !== "" &&
      html`<textarea class="command" readonly aria-label="The command" value=${command}></textarea>`}
  `;
}
