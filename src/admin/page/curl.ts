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

/** A command that asks a question, for a person who has no agent yet. */
export function tryCommand(origin: string): string {
  const chat = JSON.stringify({ model: "any", messages: [{ role: "user", content: "Hello" }] });
  return `curl ${origin}/v1/chat/completions \\\n  -H 'content-type: application/json' \\\n  -d '${chat}'\n`;
}

export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
