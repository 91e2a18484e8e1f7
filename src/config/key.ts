/**
 * Compares keys in a time that says nothing about them.
 *
 * @module
 */
import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Whether a text is one of several keys. Digests are compared, so neither a length nor the place of a difference
 * shows, and every key is looked at.
 *
 * @param given what somebody sent, with or without `Bearer ` before it
 * @param keys the keys that count
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
