/** Reads a message or a whole answer, and the texts in it; undefined for anything that isn't a chat answer. @module */
import type { ChatChunk, ChatCompletion, Content, ContentPart, Loose } from "./chunk.ts";
import { parseJson } from "../../engine/object/parse.ts";

export const DONE_DATA = "[DONE]";

/** The chunk in a message's data; undefined if the data isn't a chunk but an error, `[DONE]` or something unknown. */
export function readChunk(data: string): ChatChunk | undefined {
  return data.startsWith("{") ? withChoices<ChatChunk>(data) : undefined;
}

/** The answer in a body; undefined if the body isn't an answer. */
export function readCompletion(body: string): ChatCompletion | undefined {
  return withChoices<ChatCompletion>(body);
}

/** Whether messages of a role instruct the model. */
export function isSystemRole(role: unknown): boolean {
  return role === "system" || role === "developer";
}

/** The text of a content: the string itself, or the joined text parts of a list; undefined if it has no text. */
export function contentText(content: Content | undefined): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.filter(isTextPart).map(({ text }) => text);
  return texts.length === 0 ? undefined : texts.join("");
}

/** The fields in which servers send the model's reasoning (vLLM and DeepSeek, OpenRouter). */
const REASONING_FIELDS = ["reasoning_content", "reasoning"];

/** The reasoning of a delta or a message; undefined if it has none. */
export function reasoningText(message: Loose | null | undefined): string | undefined {
  for (const field of REASONING_FIELDS) {
    const text = message?.[field];
    if (typeof text === "string" && text !== "") return text;
  }
  return undefined;
}

/** Whether a part of a content is text. Parts of other kinds (images, thinking) are never read and never changed. */
export function isTextPart(part: ContentPart): part is ContentPart & { readonly text: string } {
  return typeof part === "object" && part !== null && typeof part.text === "string" &&
    (part.type === undefined || part.type === "text");
}

function withChoices<T extends { readonly choices: readonly unknown[] }>(text: string): T | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || !("choices" in value)) return undefined;
  const choices = value.choices;
  if (!Array.isArray(choices) || !choices.every((choice) => typeof choice === "object" && choice !== null)) {
    return undefined;
  }
  return value as T;
}
