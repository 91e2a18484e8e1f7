/**
 * What a browser gets for a key: a cookie that no script can read and no other site can send. It holds its end and a
 * signature by the key, so the server keeps nothing, and another key ends all sessions.
 *
 *     dragoman=1767225600000.mF3…; Path=/_dragoman; HttpOnly; SameSite=Strict
 *
 * @module
 */
import { createHmac, timingSafeEqual } from "node:crypto";

const SESSION_SECONDS = 12 * 60 * 60;

const NAME = "dragoman";

/** The value of `Set-Cookie` that begins a session. */
export function sessionCookie(key: string, now: number): string {
  const until = now + SESSION_SECONDS * 1000;
  return cookie(`${until}.${signature(key, until)}`, SESSION_SECONDS);
}

export function endedCookie(): string {
  return cookie("", 0);
}

/** Whether a request has a session that one of the keys signed and that isn't over. */
export function hasSession(headers: Headers, keys: readonly string[], now: number): boolean {
  // A page of another port or a subdomain can set a cookie of the same name, which browsers may send first.
  return cookieValues(headers.get("cookie") ?? "").some((value) => isSession(value, keys, now));
}

function isSession(value: string, keys: readonly string[], now: number): boolean {
  const [until = "", given = ""] = value.split(".", 2);
  if (!/^\d{1,16}$/.test(until) || Number(until) < now) return false;
  let isKnown = false;
  for (const key of keys) if (isSame(signature(key, Number(until)), given)) isKnown = true;
  return isKnown;
}

function cookie(value: string, seconds: number): string {
  return `${NAME}=${value}; Path=/_dragoman; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
}

/** The values of all cookies of our name. The head of a request limits how many there are. */
function cookieValues(header: string): string[] {
  const parts = header.split(";").map((part) => part.trim());
  return parts.filter((part) => part.startsWith(`${NAME}=`)).map((part) => part.slice(NAME.length + 1));
}

function signature(key: string, until: number): string {
  return createHmac("sha256", key).update(`dragoman session until ${until}`).digest("base64url");
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => new TextEncoder().encode(text));
  return a !== undefined && b !== undefined && a.length === b.length && timingSafeEqual(a, b);
}
