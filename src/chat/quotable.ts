/**
 * What of a request a model may be quoting: the messages that it answers. Markup that stands in them word for word
 * is shown, not called; a file that was read, or a web page, could else make the agent do things.
 *
 * @module
 */
import type { ChatRequest } from "./request.ts";
import { contentText } from "./read.ts";

/** Who speaks to the model. */
const INPUT_ROLES = ["user", "tool", "function"];

/**
 * The texts of the user's and the tools' messages since the model spoke last.
 *
 * @param request the chat request
 *
 * @example
 * ```ts
 * import { quotableTexts } from "./quotable.ts";
 * const messages = [{ role: "user", content: "old" }, { role: "assistant" }, { role: "tool", content: "a page" }];
 * console.assert(quotableTexts({ messages }).join() === "a page");
 * ```
 */
export function quotableTexts(request: ChatRequest): string[] {
  const messages = Array.isArray(request.messages) ? request.messages : [];
  const last = messages.findLastIndex((message) => message?.role === "assistant");
  return messages.slice(last + 1)
    .filter((message) => INPUT_ROLES.includes(message?.role ?? ""))
    .map((message) => contentText(message.content) ?? "")
    .filter((text) => text !== "");
}
