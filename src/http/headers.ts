/**
 * Which headers travel: from the client to the upstream and back. All do, but those that belong to one
 * connection, and those that describe a body that we change.
 *
 * @module
 */

/** The header by which a request names its client. */
export const CLIENT_HEADER = "x-dragoman-client";

/** Headers of one connection (RFC 9110, section 7.6.1); they never travel further. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Request headers that the next connection makes again. */
const NOT_FORWARDED = ["host", "content-length", "expect", CLIENT_HEADER];

/**
 * The headers for the upstream.
 *
 * @param headers the client's
 * @param key the upstream's key; without it the client's own Authorization goes on
 */
export function forwardedHeaders(headers: Headers, key?: string): Headers {
  const forwarded = withoutHopByHop(headers);
  for (const name of NOT_FORWARDED) forwarded.delete(name);
  // The text must be readable here, and with this header a fetch leaves every body as it is.
  forwarded.set("accept-encoding", "identity");
  if (key !== undefined) forwarded.set("authorization", `Bearer ${key}`);
  return forwarded;
}

/**
 * The headers for the client.
 *
 * @param headers the upstream's
 * @param options `isRewritten`: the body is another one now, so its length and encoding are
 */
export function returnedHeaders(headers: Headers, options: { readonly isRewritten: boolean }): Headers {
  const returned = withoutHopByHop(headers);
  // Which pages may read an answer is for the configuration to say, not for the upstream.
  for (const name of [...returned.keys()]) if (name.startsWith("access-control-")) returned.delete(name);
  if (options.isRewritten) {
    for (const name of ["content-length", "content-encoding", "content-md5", "digest", "etag"]) {
      returned.delete(name);
    }
  }
  return returned;
}

function withoutHopByHop(headers: Headers): Headers {
  const kept = new Headers(headers);
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim());
  // What `connection` names is the sender's to choose, so it may be no header name at all.
  for (const name of [...HOP_BY_HOP, ...named]) if (/^[\w-]+$/.test(name)) kept.delete(name);
  return kept;
}
