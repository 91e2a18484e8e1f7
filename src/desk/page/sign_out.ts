/**
 * Ends the session that the key form opened. Without a session, there is no button.
 *
 * @module
 */
/// <reference lib="dom" />
import { html } from "./html.ts";
import { useLoaded } from "./loaded.ts";
import { remove } from "./server.ts";

/** A button. */
export function SignOut({ onEnded }: { readonly onEnded: () => void }) {
  const { value } = useLoaded<{ readonly session: boolean }>("session");
  if (value?.session !== true) return null;
  const end = () => void remove("session").then(onEnded, onEnded);
  return html`<button onClick=${end}>Sign out</button>`;
}
