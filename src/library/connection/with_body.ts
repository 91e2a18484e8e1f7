/** A request with another body. @module */
import type { FetchArguments, Sent } from "./sent.ts";

/** The arguments that send the same request with another body, to the same or another place. */
export function withBody(
  { args: [input, init], request, url, headers: sent }: Sent,
  body: string,
  { to = url, headers: own = sent }: { readonly to?: URL; readonly headers?: Headers } = {},
): FetchArguments {
  const headers = new Headers(own);
  headers.delete("content-length");
  const target = request || to !== url ? to.href : input;
  const signal = init?.signal ?? request?.signal;
  return [target, { ...init, method: "POST", headers, body, ...(signal == null ? {} : { signal }) }];
}
