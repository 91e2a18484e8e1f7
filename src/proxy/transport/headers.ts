/** The headers that are forwarded to the upstream and back: all but those of one connection or of a changed body. @module */

export const CLIENT_HEADER = "x-dragoman-client";

/** The header by which a request states whether its answer begins in the reasoning: `true`, `false` or `auto`. */
export const BEGINNING_HEADER = "x-dragoman-begins-in-reasoning";

/** Headers of one connection (RFC 9110, section 7.6.1), besides all of `proxy-…`. They are never forwarded. */
const HOP_BY_HOP = [
  "connection",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Request headers that the next connection sets itself. */
const NOT_FORWARDED = ["host", "content-length", "expect", CLIENT_HEADER, BEGINNING_HEADER];

/** The headers for the upstream; without a key, the client's own Authorization is forwarded. */
export function forwardedHeaders(headers: Headers, key?: string): Headers {
  const forwarded = withoutHopByHop(headers);
  for (const name of NOT_FORWARDED) forwarded.delete(name);
  // The text must be readable here; with this header, `fetch` decodes no body.
  forwarded.set("accept-encoding", "identity");
  if (key !== undefined) forwarded.set("authorization", `Bearer ${key}`);
  return forwarded;
}

/**
 * Headers about the answering address, which is ours: the pages that may read an answer, what a browser does at this
 * address because of it, alternative addresses, and the file that a reverse proxy sends instead.
 */
const OF_OUR_ORIGIN = new RegExp(
  "^(?:" + [
    ...["access-control-.*", "alt-svc", "x-accel-.*", "x-sendfile", "strict-transport-security"],
    ...["content-security-policy.*", "x-content-type-options", "cross-origin-.*", "service-worker-allowed"],
    ...["refresh", "clear-site-data", "link", "speculation-rules", "report-to", "reporting-endpoints", "nel"],
    ...["accept-ch", "critical-ch", "origin-trial", "set-login", "use-as-dictionary", "sourcemap"],
  ].join("|") + ")$",
);

/** Headers by which a browser runs nothing of an answer, whatever an upstream has put into it. */
const INERT: Readonly<Record<string, string>> = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

/** Adds the headers by which a browser runs nothing of an answer; our own pages have a policy already. */
export function makeInert(headers: Headers): void {
  if (headers.has("content-security-policy")) return;
  for (const name of Object.keys(INERT)) headers.set(name, INERT[name]!);
}

const OF_THE_BODY = [
  ...["content-length", "content-encoding", "content-md5", "content-digest", "repr-digest", "digest", "etag"],
  ...["accept-ranges", "content-range"],
];

/** The headers for the client; `isRewritten`: the body was replaced, so its length and encoding are. */
export function returnedHeaders(headers: Headers, options: { readonly isRewritten: boolean }): Headers {
  const returned = withoutHopByHop(headers);
  headers.forEach((_, name) => OF_OUR_ORIGIN.test(name) && returned.delete(name));
  if (options.isRewritten) { for (const name of OF_THE_BODY) returned.delete(name); }
  // A length next to a transfer coding is the beginning of a forged response. Events get none, because an error can
  // follow.
  const length = returned.get("content-length") ?? "";
  const isOwn = headers.has("transfer-encoding") || !/^\d+$/.test(length) || isEvents(headers);
  if (isOwn) returned.delete("content-length");
  return returned;
}

export function isEvents(headers: Headers): boolean {
  return headers.get("content-type")?.toLowerCase().includes("text/event-stream") === true;
}

function withoutHopByHop(headers: Headers): Headers {
  const named = (headers.get("connection") ?? "").toLowerCase().split(",").map((name) => name.trim());
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  const kept = new Headers();
  // `forEach` takes an eighth of the time of the iterator.
  headers.forEach((value, name) => {
    if (!dropped.has(name) && !name.startsWith("proxy-")) kept.append(name, value);
  });
  return kept;
}
