/**
 * Who may see the pages about us. With a key: whoever has it. Without: only this machine, and no web page that a
 * browser on this machine happens to show. In: what is known of a request. Out: nothing, or why not.
 *
 * @module
 */
import { isLoopback } from "../config/address.ts";
import { isOneOf } from "../config/key.ts";

/** What decides. */
export interface Visitor {
  /** The request's headers. */
  readonly headers: Headers;
  /** The address that asks; undefined where none is known. */
  readonly remote: string | undefined;
}

/** The keys that open the pages. Secrets. */
export interface AccessKeys {
  /** The key that opens them from any machine; without one only this machine may look. */
  readonly admin: string | undefined;
  /** The keys of clients: where there are any, this machine needs one too. */
  readonly clients: readonly string[];
}

/** Why somebody may not. */
export interface Refusal {
  /** 401 for a wrong key, 403 for a wrong place. */
  readonly status: 401 | 403;
  /** What happened and how to mend it. */
  readonly message: string;
}

const LOCAL_HOSTS: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Says why a visitor may not see the pages; undefined: they may. */
export function refuseVisitor({ headers, remote }: Visitor, keys: AccessKeys): Refusal | undefined {
  if (isForeignPage(headers)) {
    return { status: 403, message: "A web page of another origin asked for this; open it directly" };
  }
  const given = headers.get("authorization") ?? "";
  if (keys.admin !== undefined) return isOneOf(given, [keys.admin]) ? undefined : WRONG_KEY;
  const host = (headers.get("host") ?? "").replace(/:\d+$/, "").toLowerCase();
  if (remote !== undefined && isLoopback(remote) && LOCAL_HOSTS.includes(host)) {
    return keys.clients.length === 0 || isOneOf(given, keys.clients) ? undefined : WRONG_KEY;
  }
  return {
    status: 403,
    message: "Only this machine may see this page, under 127.0.0.1 or localhost. For others set " +
      "`admin.key_env` in dragoman.yaml and send that key as `Authorization: Bearer KEY`",
  };
}

const WRONG_KEY: Refusal = {
  status: 401,
  message: "The key is missing or wrong. Send `Authorization: Bearer KEY`",
};

function isForeignPage(headers: Headers): boolean {
  const origin = headers.get("origin");
  if (headers.get("sec-fetch-site") === "cross-site") return true;
  return origin !== null && URL.parse(origin)?.host !== headers.get("host");
}
