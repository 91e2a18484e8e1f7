/**
 * Estimates how many tokens a request has. A real count needs the model's own tokenizer; the estimate only serves to
 * decide when a conversation has to be compacted, and is rather too high than too low.
 *
 * @module
 */
import { isRecord } from "../../object/record.ts";
import type { JsonObject } from "../wire.ts";

/** UTF-8 bytes for each token: English text has about 4, code and JSON about 3. */
const BYTES_PER_TOKEN = 3.2;
/** Tokens around each message: its role and its marks. */
const TOKENS_PER_MESSAGE = 4;
/** Tokens of an image, as large as clients send them. */
const TOKENS_PER_IMAGE = 1600;

/** The estimated number of tokens of a request's system text, tools and messages. */
export function estimateTokens({ system, messages, tools }: JsonObject): number {
  let images = 0;
  const text = JSON.stringify([system, messages, tools], (_, value: unknown) => {
    const isImage = isRecord(value) && value["type"] === "base64" && typeof value["data"] === "string";
    if (!isImage) return value;
    images++;
    return "";
  });
  const bytes = new TextEncoder().encode(text).length;
  const count = Array.isArray(messages) ? messages.length : 0;
  return Math.ceil(bytes / BYTES_PER_TOKEN) + count * TOKENS_PER_MESSAGE + images * TOKENS_PER_IMAGE;
}
