/**
 * How the body of an answer is to be read: a stream of events or one JSON value. Servers name it in a header, and some name a wrong one, so
 * in doubt the first bytes decide.
 *
 * @module
 */

import { replay } from "./body.ts";

/** How an answer's body is to be read. */
export type BodyKind = "stream" | "json";

/** A body and its kind. */
export interface KnownBody {
  /** Undefined if the body is neither a stream of events nor JSON. */
  readonly kind: BodyKind | undefined;
  /** The whole body, the bytes that were looked at included. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Media types under which answers come that are something else. */
const VAGUE_TYPES = /json|text\/event-stream|text\/plain|octet-stream/;

/**
 * The kind that a header promises: `unsure` where only the bytes can tell, undefined where the body isn't an answer.
 *
 * A stream that was asked for and is called one is trusted: looking at its first bytes would hold back the head of
 * the response until the model has read its prompt.
 *
 * @param type the content type, null without one
 * @param wantsStream whether the client asked for a stream
 */
export function promisedKind(type: string | null, wantsStream: boolean): BodyKind | "unsure" | undefined {
  if (type === null) return "unsure";
  const lower = type.toLowerCase();
  if (wantsStream && lower.includes("text/event-stream")) return "stream";
  return VAGUE_TYPES.test(lower) ? "unsure" : undefined;
}

/** How events begin: a field or a comment. */
const EVENT_BEGINNINGS = ["data:", "event:", "id:", "retry:", ":"];

/** A body that begins with this many bytes of white space isn't an answer. */
export const LOOK_BYTES_MAX = 4096;

/** Looks at the first bytes of a body. */
export async function findKind(body: ReadableStream<Uint8Array>): Promise<KnownBody> {
  const reader = body.getReader();
  const seen: Uint8Array[] = [];
  let text = "";
  let isOver = false;
  while (!isOver && kindOf(text) === "unsure" && text.length < LOOK_BYTES_MAX) {
    const { done, value } = await reader.read();
    isOver = done;
    if (value === undefined) continue;
    seen.push(value.slice());
    text += new TextDecoder("latin1").decode(value.subarray(0, LOOK_BYTES_MAX));
  }
  const kind = kindOf(text);
  return { kind: kind === "unsure" ? undefined : kind, body: replay(seen, reader) };
}

/** The kind of a body that begins so; `unsure` if more of it decides, undefined if it is neither. */
export function kindOf(start: string): BodyKind | "unsure" | undefined {
  // The byte order mark, as it looks in Latin-1.
  const text = start.replace(/^\u00EF\u00BB\u00BF/, "").trimStart();
  if (text.startsWith("{") || text.startsWith("[")) return "json";
  if (EVENT_BEGINNINGS.some((beginning) => text.startsWith(beginning))) return "stream";
  return EVENT_BEGINNINGS.some((beginning) => beginning.startsWith(text)) ? "unsure" : undefined;
}
