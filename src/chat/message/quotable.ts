/** What a model may quote: texts of the user and the tools. A call in them is a quotation, or a file could make one. @module */
import type { ChatRequest } from "./request.ts";

const INPUT_ROLES = ["user", "tool", "function"];

/** How deep the parts of a message's content are searched for texts. */
const DEPTH_MAXIMUM = 4;

/** The fields of a part that contain text for the model; an image's data isn't one of them. */
const TEXT_FIELDS = ["text", "content", "output", "result"];

/** The texts of the user's and the tools' messages, in order. */
export function quotableTexts(request: ChatRequest): string[] {
  const messages = Array.isArray(request.messages) ? request.messages : [];
  return messages
    .filter((message) => INPUT_ROLES.includes(message?.role ?? ""))
    .map((message) => textsOf(message.content, DEPTH_MAXIMUM).join(""))
    .filter((text) => text !== "");
}

function textsOf(content: unknown, depth: number): string[] {
  if (typeof content === "string") return [content];
  if (typeof content !== "object" || content === null || depth === 0) return [];
  if (Array.isArray(content)) return content.flatMap((part) => textsOf(part, depth - 1));
  return Object.entries(content).flatMap(([field, value]) =>
    TEXT_FIELDS.includes(field) ? textsOf(value, depth - 1) : []
  );
}
