/** Converts the bodies of upstreams' answers from other routes and other forms. @module */
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
