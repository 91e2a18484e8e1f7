/** The files of the page that people look at. They have no data; the page reads it from the other addresses. @module */

export interface SiteFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its content by content coding, compressed when the page was built. */
  readonly compressed: Readonly<Record<Coding, Uint8Array<ArrayBuffer>>>;
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
const CONTENT_SECURITY_POLICY =
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

/** A content coding, in the order in which they are preferred. */
type Coding = "br" | "gzip";

const CODINGS: readonly Coding[] = ["br", "gzip"];

/** The name that older clients give to gzip. */
const SAME: Readonly<Record<string, string>> = { "x-gzip": "gzip" };

/** The coding that a client prefers (RFC 9110, 12.5.3); undefined for the raw content, also if it refuses all. */
export function codingFor(acceptEncoding: string | null): Coding | undefined {
  const weights = weightsIn(acceptEncoding ?? "");
  const others = weights.get("*");
  const raw = weights.get("identity") ?? 0;
  let best: Coding | undefined;
  let highest = 0;
  for (const coding of CODINGS) {
    const weight = weights.get(coding) ?? others ?? 0;
    if (weight > highest) [best, highest] = [coding, weight];
  }
  // Who refuses only the raw content, and names nothing else, most likely reads gzip.
  const refusesGzip = (weights.get("gzip") ?? others) === 0;
  if (best === undefined && weights.get("identity") === 0 && !refusesGzip) return "gzip";
  return highest >= raw ? best : undefined;
}

/** The weight of each named coding, from 0 to 1; one that can't be read is 0. */
function weightsIn(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    if (name === "") continue;
    const written = parameters.find((text) => /^q\s*=/.test(text))?.replace(/^q\s*=\s*/, "") ?? "1";
    const weight = /^(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(written) ? Number(written) : 0;
    weights.set(SAME[name] ?? name, weight);
  }
  return weights;
}
