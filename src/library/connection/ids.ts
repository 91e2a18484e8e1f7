/** Ids of calls and answers. @module */

/** A fresh id of a call: `call_` and 24 characters. */
export function newCallId(): string {
  return `call_${randomText(24)}`;
}

/** Random lower-case letters and digits. */
export function randomText(length: number): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
}
