/**
 * Asks for the key of the pages and exchanges it for a session. The key isn't kept.
 *
 * @module
 */
/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import { html } from "./html.ts";
import { change, messageOf } from "./server.ts";

/** A form for the key. */
export function KeyForm({ onKnown }: { readonly onKnown: () => void }) {
  const [failure, setFailure] = useState("");
  const field = useRef<HTMLInputElement>(null);
  // A browser obeys `autofocus` only in a page that it loads.
  useEffect(() => field.current?.focus(), []);
  const send = async (submitted: SubmitEvent) => {
    submitted.preventDefault();
    try {
      await change("session", field.current?.value.trim());
      onKnown();
    } catch (cause) {
      setFailure(messageOf(cause));
    }
  };
  return html`
    <main id="main" class="key">
      <h1>Dragoman</h1>
      <p>This proxy’s page needs a key, because it shows who asks what.</p>
      <form onSubmit=${send}>
        <label for="key">Key</label>
        <input id="key" ref=${field} type="password" autocomplete="current-password" required
          aria-describedby="key-help" />
        <button>Sign in</button>
        <p id="key-help" class="quiet">
          Whoever runs the proxy has it. On the machine of the proxy, the key that your agent uses works, too.
        </p>
        <p role="alert" class="bad">${failure}</p>
      </form>
    </main>
  `;
}
