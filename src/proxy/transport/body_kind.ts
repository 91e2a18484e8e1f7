/** The kind of a body: a stream of events or JSON. Some content types are wrong, so in doubt its first bytes decide. @module */

import { replay } from "./body.ts";

export type BodyKind = "stream" | "json";

interface KnownBody {
  /** Undefined if the body is neither a stream of events nor JSON. */
  readonly kind: BodyKind | undefined;
  /** The whole body, including the bytes that were checked. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Media types that servers also send with bodies of another kind. */
const VAGUE_TYPES = /json|text\/event-stream|text\/plain|octet-stream/;

/**
 * The kind that a header promises: `unsure` if only the bytes show it, undefined if the body isn't an answer.
 *
 * A requested stream with the right content type is trusted. Waiting for its first bytes would delay the head of the
 * response until the model has processed its prompt.
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

const EVENT_BEGINNINGS = ["data:", "event:", "id:", "retry:", ":"];

/** A body that begins with this many bytes of whitespace isn't an answer. */
export const LOOK_BYTES_MAX = 4096;

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
  // The byte order mark, read as Latin-1.
  const text = start.replace(/^\u00EF\u00BB\u00BF/, "").trimStart();
  if (text.startsWith("{") || text.startsWith("[")) return "json";
  if (EVENT_BEGINNINGS.some((beginning) => text.startsWith(beginning))) return "stream";
  return EVENT_BEGINNINGS.some((beginning) => beginning.startsWith(text)) ? "unsure" : undefined;
}
