/** Estimates a request's tokens, rather too high: the estimate only decides when to compact the conversation. @module */
import { isRecord } from "../engine/object/record.ts";

/** UTF-8 bytes for each token: English text has about 4, code and JSON about 3. */
const BYTES_PER_TOKEN = 3.2;
/** Tokens of an image of the largest size that clients send. */
const TOKENS_PER_IMAGE = 1600;

/** The estimated tokens of a request's parts; files in base64 are the `data` of an object with a media type. */
export function estimateTokens(...parts: readonly unknown[]): number {
  let images = 0;
  const text = JSON.stringify(parts, (_, value: unknown) => {
    const isFile = isRecord(value) && typeof value["data"] === "string" &&
      (value["media_type"] ?? value["mimeType"]);
    if (!isFile) return value;
    images++;
    return "";
  });
  return Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_TOKEN) + images * TOKENS_PER_IMAGE;
}
