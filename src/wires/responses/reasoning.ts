/** Reasoning in Responses items. Some clients send back only `encrypted_content`, so it has the text, marked as ours. @module */
import { isRecord } from "../../engine/object/record.ts";
import type { JsonObject } from "../wire.ts";

const PREFIX = "dragoman:";

export function reasoningItem(id: string, text: string): JsonObject {
  const summary = [{ type: "summary_text", text }];
  return { id, type: "reasoning", summary, encrypted_content: writeHidden(text) };
}

/** The text of an item; "" for reasoning that another server encrypted. */
export function readReasoning({ content, summary, encrypted_content: encrypted }: JsonObject): string {
  const text = textOf(content) || textOf(summary);
  return text === "" && typeof encrypted === "string" ? readHidden(encrypted) ?? "" : text;
}

/** A text as `encrypted_content`. */
export function writeHidden(text: string): string {
  return PREFIX + toBase64(text);
}

/** The text in an `encrypted_content`; undefined if another server encrypted it. */
export function readHidden(encrypted: string): string | undefined {
  if (!encrypted.startsWith(PREFIX)) return undefined;
  return fromBase64(encrypted.slice(PREFIX.length));
}

/** Encodes UTF-8 as base64 in every runtime. */
function toBase64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The text; "" if it isn't base64, because another program wrote it. */
function fromBase64(base64: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return "";
  }
}

function textOf(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts.filter(isRecord).map(({ text }) => typeof text === "string" ? text : "").join("\n");
}
