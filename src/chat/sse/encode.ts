/** Writes server-sent events. No other file writes such messages. @module */

export const DONE = "data: [DONE]\n\n";

/**
 * The text of one message.
 *
 * @param data the data; each line becomes a `data` field
 * @param event the event's type, if it has one
 *
 * @example
 * ```ts
 * import { encodeMessage } from "./encode.ts";
 * console.assert(encodeMessage("a\nb") === "data: a\ndata: b\n\n");
 * ```
 */
export function encodeMessage(data: string, event?: string): string {
  const fields = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`).join("");
  return `${event === undefined ? "" : `event: ${event}\n`}${fields}\n`;
}
