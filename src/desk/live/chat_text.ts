/**
 * A request itself as text: kept if it isn't too long, and shown without secrets.
 *
 * @module
 */
import { isSecretName, REDACTED, scrubText } from "../audit/scrub.ts";

/** The longest request that is kept, in characters of JSON. */
const LENGTH_MAX = 512 * 1024;

/** A request as JSON; undefined if it is too long. */
export function chatText(chat: object): string | undefined {
  // To write a request of many megabytes only to measure it would hold up other requests.
  const text = textLength(chat) > LENGTH_MAX ? undefined : JSON.stringify(chat);
  return text !== undefined && text.length <= LENGTH_MAX ? text : undefined;
}

/** Removes secrets from the texts of a request. A schema that only names a password stays. */
export function shownChat(text: string, secrets: readonly string[]): string {
  return JSON.stringify(
    JSON.parse(text),
    (name, value) =>
      typeof value !== "string" ? value : isSecretName(name) ? REDACTED : scrubText(value, secrets),
  );
}

/** The length of all texts in a value; stops to count beyond the maximum. */
function textLength(value: unknown): number {
  const waiting = [value];
  let length = 0;
  while (waiting.length > 0 && length <= LENGTH_MAX) {
    const next = waiting.pop();
    // Also what isn't a text takes room.
    length += typeof next === "string" ? next.length : 1;
    if (typeof next !== "object" || next === null) continue;
    // A list may have more values than a function takes arguments.
    for (const value of Object.values(next).slice(0, LENGTH_MAX)) waiting.push(value);
  }
  return length;
}
