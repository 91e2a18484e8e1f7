/**
 * Reasoning in Responses items. Some clients send back only `encrypted_content`, so it holds the text, marked as ours.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { isRecord } from "../../engine/object/record.ts";
import type { JsonObject } from "../wire.ts";

const PREFIX = "dragoman:";

/** A whole item for a text. */
export function reasoningItem(id: string, text: string): JsonObject {
  const summary = [{ type: "summary_text", text }];
  return { id, type: "reasoning", summary, encrypted_content: PREFIX + Buffer.from(text).toString("base64") };
}

/** The text of an item; "" for reasoning that another server encrypted. */
export function readReasoning({ content, summary, encrypted_content: encrypted }: JsonObject): string {
  const text = textOf(content) || textOf(summary);
  if (text !== "" || typeof encrypted !== "string" || !encrypted.startsWith(PREFIX)) return text;
  return Buffer.from(encrypted.slice(PREFIX.length), "base64").toString();
}

function textOf(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts.filter(isRecord).map(({ text }) => typeof text === "string" ? text : "").join("\n");
}
