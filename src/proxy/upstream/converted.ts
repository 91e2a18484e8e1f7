/** Converts the bodies of upstreams' answers from other routes and other forms. @module */
import { Buffer } from "node:buffer";
import { SseDecoder, type SseMessage } from "../../chat/sse/decode.ts";
import { canDecode, codingsOf, decode } from "../transport/encoding.ts";
import type { UpstreamAnswer } from "./upstream.ts";

/** The answer with what is made of its decoded body. An error stays, and so does what can't be decoded. */
export function convertBody(
  answered: UpstreamAnswer,
  convert: (body: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>,
  type?: string,
): UpstreamAnswer {
  const { response: { ok, status, statusText, headers, body }, deadline } = answered;
  const codings = codingsOf(headers);
  if (!ok || body === null || !canDecode(codings)) return answered;
  const kept = new Headers(headers);
  for (const name of ["content-length", "content-encoding"]) kept.delete(name);
  if (type !== undefined) kept.set("content-type", type);
  const converted = convert(decode(body, codings));
  return { response: new Response(converted, { status, statusText, headers: kept }), deadline };
}

/**
 * A stream of events, some of which change; all others stay byte for byte.
 *
 * @param change gives the event that replaces one with this data; an empty text drops it, undefined: it stays
 */
export function changeEvents(
  change: (data: string, event: string | undefined) => string | undefined,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new SseDecoder();
  const bytesOf = ({ raw, data, event }: SseMessage) => {
    const changed = data === undefined ? undefined : change(Buffer.from(data, "latin1").toString(), event);
    return Buffer.from(changed ?? raw, changed === undefined ? "latin1" : "utf8");
  };
  const give = (messages: readonly SseMessage[], out: TransformStreamDefaultController<Uint8Array>) => {
    const bytes = Buffer.concat(messages.map(bytesOf));
    if (bytes.length > 0) out.enqueue(bytes);
  };
  return new TransformStream({
    transform: (bytes, out) =>
      give(
        decoder.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")),
        out,
      ),
    flush: (out) => give(decoder.end(), out),
  });
}
