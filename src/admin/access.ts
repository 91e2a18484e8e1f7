/**
 * Who may see the pages about us. With a key: whoever has it. Without: only this machine, and no web page that a
 * browser on this machine happens to show. In: what is known of a request. Out: nothing, or why not.
 *
 * @module
 */
import { timingSafeEqual } from "node:crypto";

/** What decides. */
export interface Visitor {
  /** The request's headers. */
  readonly headers: Headers;
  /** The address that asks; undefined where none is known. */
  readonly remote: string | undefined;
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
export function refuseVisitor({ headers, remote }: Visitor, key: string | undefined): Refusal | undefined {
  if (isForeignPage(headers)) {
    return { status: 403, message: "A web page of another origin asked for this; open it directly" };
  }
  if (key !== undefined) {
    if (isSame(headers.get("authorization") ?? "", `Bearer ${key}`)) return undefined;
    return { status: 401, message: "The key is missing or wrong. Send `Authorization: Bearer KEY`" };
  }
  const host = (headers.get("host") ?? "").replace(/:\d+$/, "").toLowerCase();
  if (isLoopback(remote) && LOCAL_HOSTS.includes(host)) return undefined;
  return {
    status: 403,
    message: "Only this machine may see this page, under 127.0.0.1 or localhost. For others set " +
      "`admin.key_env` in dragoman.yaml and send that key as `Authorization: Bearer KEY`",
  };
}

function isForeignPage(headers: Headers): boolean {
  const origin = headers.get("origin");
  if (headers.get("sec-fetch-site") === "cross-site") return true;
  return origin !== null && URL.parse(origin)?.host !== headers.get("host");
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && (address === "::1" || /^(?:::ffff:)?127\./.test(address));
}

/** Compares in a time that tells nothing of where they differ. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => new TextEncoder().encode(text));
  return one !== undefined && other !== undefined && one.length === other.length &&
    timingSafeEqual(one, other);
}
