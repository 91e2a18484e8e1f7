/**
 * What of a request a model may be quoting: what the user and the tools wrote. Markup that stands there is shown, not
 * called; otherwise a file or a web page could make the agent do things.
 *
 * @module
 */
import type { ChatRequest } from "./request.ts";

/** Who speaks to the model. */
const INPUT_ROLES = ["user", "tool", "function"];

/** How deep the parts of a content are searched for texts. */
const DEPTH_MAXIMUM = 4;

/** The fields of a content's part that hold what the model reads; a picture's data is not among them. */
const TEXT_FIELDS = ["text", "content", "output", "result"];

/**
 * The texts of the user's and the tools' messages, in their order.
 *
 * @param request the chat request
 *
 * @example
 * ```ts
 * import { quotableTexts } from "./quotable.ts";
 * const messages = [{ role: "user", content: "Look" }, { role: "assistant" }, { role: "tool", content: "a page" }];
 * console.assert(quotableTexts({ messages }).join() === "Look,a page");
 * ```
 */
export function quotableTexts(request: ChatRequest): string[] {
  const messages = Array.isArray(request.messages) ? request.messages : [];
  return messages
    .filter((message) => INPUT_ROLES.includes(message?.role ?? ""))
    .map((message) => textsOf(message.content, DEPTH_MAXIMUM).join(""))
    .filter((text) => text !== "");
}

/** The texts in a content: the string itself, or those of its parts. */
function textsOf(content: unknown, depth: number): string[] {
  if (typeof content === "string") return [content];
  if (typeof content !== "object" || content === null || depth === 0) return [];
  if (Array.isArray(content)) return content.flatMap((part) => textsOf(part, depth - 1));
  return Object.entries(content).flatMap(([field, value]) =>
    TEXT_FIELDS.includes(field) ? textsOf(value, depth - 1) : []
  );
}
