/** The parts of the AI SDK's prompt, and what the model may quote of them. @module */
import { isRecord } from "../../engine/object/record.ts";

/** A message of a prompt or of chat completions. */
export type Message = Readonly<Record<string, unknown>>;

/** The texts that users and tools wrote. */
export function quotableTexts(prompt: unknown): string[] {
  return messagesIn(prompt).filter(({ role }) => role === "user" || role === "tool")
    .map(({ content }) => partsIn(content).map(textOf).join("")).filter((text) => text !== "");
}

export function messagesIn(prompt: unknown): Message[] {
  return Array.isArray(prompt) ? prompt.filter(isRecord) : [];
}

export function partsIn(content: unknown): Message[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

export function textOf(part: Message): string {
  if (part["type"] === "text") return String(part["text"]);
  return part["type"] === "tool-result" ? outputText(part["output"]) : "";
}

/** The text of a tool's result. */
export function outputText(output: unknown): string {
  if (!isRecord(output)) return typeof output === "string" ? output : JSON.stringify(output ?? null);
  const { value } = output;
  if (Array.isArray(value) && output["type"] === "content") {
    return value.filter(isRecord).map(textOf).join("");
  }
  return typeof value === "string" ? value : JSON.stringify(value ?? output);
}
