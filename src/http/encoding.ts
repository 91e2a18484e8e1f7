/**
 * How an answer's body is to be read: a stream of events or JSON, plain or compressed. In: the head of a response.
 * Out: what can be done with its body.
 *
 * @module
 */
import type { ChatRequest } from "../chat/request.ts";

/** How an answer's body is to be read; undefined: not at all. */
export function bodyKind(response: Response, chat: ChatRequest): "stream" | "json" | undefined {
  const type = response.headers.get("content-type")?.toLowerCase();
  if (type === undefined) return chat.stream === true ? "stream" : "json";
  if (type.includes("text/event-stream")) return "stream";
  return type.includes("json") ? "json" : undefined;
}

/** The body as text's bytes; undefined where it is encoded in a way that we cannot read. */
export function readableBody(response: Response): ReadableStream<Uint8Array<ArrayBuffer>> | undefined {
  const { body } = response;
  const encoding = encodingOf(response);
  if (body === null) return undefined;
  if (encoding === "identity") return body;
  return isCompression(encoding) ? body.pipeThrough(new DecompressionStream(encoding)) : undefined;
}

/** The body's encoding, `identity` where it has none. */
export function encodingOf({ headers }: Response): string {
  return headers.get("content-encoding")?.trim().toLowerCase() || "identity";
}

/** Whether we can read an encoding. */
export function isCompression(encoding: string): encoding is "gzip" | "deflate" {
  return encoding === "gzip" || encoding === "deflate";
}
