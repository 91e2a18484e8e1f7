/**
 * The files of the page that people look at. They have no data and are the same for everyone; the page reads its data
 * from the other addresses.
 *
 * @module
 */

import { type Coding, codingFor } from "./coding.ts";

/** One file. */
export interface SiteFile {
  /** Its content. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its content by content coding, compressed when the page was built. */
  readonly compressed: Readonly<Record<Coding, Uint8Array<ArrayBuffer>>>;
  /** The hash of its content. */
  readonly hash: string;
}

/** Gives a file of the built page by its path; undefined if there is none. */
export type ReadSiteFile = (path: string) => Promise<SiteFile | undefined>;

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** Everything comes from this server: no inline script, no other host, no frame around it. */
export const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Headers of every file, and of every other answer where they do no harm. */
export const GUARDS: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

/** Whether a request comes from someone who looks at the page, and not from a program that reads JSON. */
export function wantsPage(headers: Headers): boolean {
  return (headers.get("accept") ?? "").includes("text/html");
}

/** Answers with a file of the page; undefined if there is none. */
export async function siteResponse(
  request: Request,
  path: string,
  read: ReadSiteFile,
): Promise<Response | undefined> {
  const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
  const file = type === undefined || !isPlainPath(path) ? undefined : await read(path);
  if (type === undefined || file === undefined) return undefined;
  const etag = `"${file.hash}"`;
  const headers = new Headers({
    ...GUARDS,
    "content-type": type,
    "cache-control": isNamedByHash(path, request.url) ? "private, max-age=31536000, immutable" : "no-cache",
    etag,
    vary: "accept, accept-encoding",
  });
  if (request.headers.get("if-none-match")?.includes(etag)) {
    return new Response(null, { status: 304, headers });
  }
  const coding = codingFor(request.headers.get("accept-encoding"));
  if (coding === undefined) return new Response(file.bytes, { headers });
  headers.set("content-encoding", coding);
  return new Response(file.compressed[coding], { headers });
}

/** Whether a path has only names, so that it can't leave the folder. */
function isPlainPath(path: string): boolean {
  return path.split("/").every((part) => /^[A-Za-z0-9_-]+(?:\.[a-z]+)?$/.test(part));
}

/** Whether another content would have another address: `main.js?v=HASH`, `figures-c354da61.js`. */
function isNamedByHash(path: string, url: string): boolean {
  return new URL(url).searchParams.has("v") || /-[0-9a-f]{8}\.js$/.test(path);
}
