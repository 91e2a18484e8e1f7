/** Decides who may see the admin pages: with a key, who sends it; without, this machine, but no web page on it. @module */
import { isLoopback } from "../../proxy/config/address.ts";
import { isOneOf } from "../../proxy/config/key.ts";
import { hasSession, sessionCookie } from "./sign_in.ts";

export interface Visitor {
  readonly headers: Headers;
  readonly remote: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The keys that open the pages. Secrets. */
export interface AccessKeys {
  /** The key for any machine; without it, only this machine can see them. */
  readonly admin: string | undefined;
  /** The client keys; if there are any, this machine needs one, too. */
  readonly clients: readonly string[];
}

export interface AccessDenial {
  /** 401 for a wrong key, 403 for a wrong address. */
  readonly status: 401 | 403;
  readonly message: string;
}

const LOCAL_HOSTS: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** Why a visitor may not see the pages; undefined if they may. A key comes in a header or as a session. */
export function refuseVisitor(visitor: Visitor, keys: AccessKeys): AccessDenial | undefined {
  const refusal = refusePlace(visitor, keys);
  if (refusal !== undefined) return refusal;
  const wanted = wantedKeys(keys);
  if (wanted.length === 0 || isOneOf(visitor.headers.get("authorization") ?? "", wanted)) return undefined;
  return isSignedIn(visitor, keys) ? undefined : WRONG_KEY;
}

export function isSignedIn({ headers, now }: Visitor, keys: AccessKeys): boolean {
  return hasSession(headers, wantedKeys(keys), now);
}

/** Why a visitor may not even load the page that asks for the key; undefined if they may. It has no data. */
export function refusePlace({ headers, remote }: Visitor, keys: AccessKeys): AccessDenial | undefined {
  if (isForeignPage(headers)) {
    return {
      status: 403,
      message: "The request comes from a web page with a different origin. Open the page directly",
    };
  }
  const host = (headers.get("host") ?? "").replace(/:\d+$/, "").toLowerCase();
  const isHere = remote !== undefined && isLoopback(remote) && LOCAL_HOSTS.includes(host);
  return isHere || keys.admin !== undefined ? undefined : {
    status: 403,
    message: "Only this machine can see this page, at 127.0.0.1 or localhost. To allow others, set " +
      "`admin.key_env` in dragoman.yaml and send that key as `Authorization: Bearer KEY`",
  };
}

/** The cookie for a key; undefined if the key is wrong. */
export function exchangeKey(given: string, keys: AccessKeys, now: number): string | undefined {
  const key = wantedKeys(keys).find((key) => isOneOf(given, [key]));
  return key === undefined ? undefined : sessionCookie(key, now);
}

/** The keys of which a visitor needs one; none: they need none. */
function wantedKeys({ admin, clients }: AccessKeys): readonly string[] {
  return admin === undefined ? clients : [admin];
}

export const WRONG_KEY: AccessDenial = {
  status: 401,
  message: "The key is missing or wrong. Send `Authorization: Bearer KEY`",
};

function isForeignPage(headers: Headers): boolean {
  const origin = headers.get("origin");
  if (headers.get("sec-fetch-site") === "cross-site") return true;
  return origin !== null && URL.parse(origin)?.host !== headers.get("host");
}
