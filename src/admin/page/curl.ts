/** A request as a command that sends it again. It has no key: the proxy adds the upstream's own. @module */
import type { LiveRequest } from "../live/request.ts";

/** The command that sends a request again; its client decides how the answer is written. */
export function curlOf(
  { client, isStreamed }: LiveRequest,
  { chat, origin }: { chat: string; origin: string },
) {
  const path = client === null ? "/v1/chat/completions" : `/${client}/v1/chat/completions`;
  const flags = isStreamed ? "-N " : "";
  return `curl ${flags}${origin}${path} \\\n  -H 'content-type: application/json' \\\n  --data-raw ${
    shellQuoted(chat)
  }\n`;
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
