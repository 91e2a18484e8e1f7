/** Compares keys in constant time. @module */
import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether a text is one of several keys. It compares digests and always checks every key, so that the time reveals
 * neither a length nor the position of a difference.
 *
 * @param given the received text, with or without `Bearer `
 */
export function isOneOf(given: string, keys: readonly string[]): boolean {
  const wanted = digestOf(given.replace(/^bearer\s+/i, "").trim());
  let isKnown = false;
  for (const key of keys) if (timingSafeEqual(digestOf(key), wanted)) isKnown = true;
  return isKnown;
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
