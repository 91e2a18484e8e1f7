/**
 * Who may use the proxy. Dragoman adds the model server's key to every request that it lets in. So it refuses requests
 * that can come from a web page, and, if client keys are set, requests without one of them.
 *
 *     a page on another site   its Origin isn't ours, or Sec-Fetch-Site is cross-site
 *     a rebound DNS name       its Host is a name that isn't in the configuration
 *     a machine on the network it has no client key, unless `listen.open` is set
 *
 * @module
 */
import { isLoopback } from "../config/address.ts";
import { isOneOf } from "../config/key.ts";
import type { Config } from "../config/schema.ts";
import type { HttpError } from "../transport/respond.ts";

export interface Admission {
  readonly listen: Config["listen"];
  /** The address that the server listens on. An edit of the configuration doesn't change it. */
  readonly hostname: string;
  /** The client keys; if empty, clients need no key. Secrets. */
  readonly clientKeys: readonly string[];
}

/** The headers that can contain a client key, the most specific first. A client key never reaches an upstream. */
const KEY_HEADERS = ["x-dragoman-key", "authorization", "x-api-key", "x-goog-api-key", "api-key"];

/** Origins of programs that show a page of their own; no web page can have them. Ollama allows the same. */
const PROGRAM_ORIGINS = /^(?:vscode-webview|vscode-file|app|tauri):/i;

/** Why a page or a host may not use the proxy; undefined if it may. */
export function refuseSource(url: URL, headers: Headers, admission: Admission): HttpError | undefined {
  if (!isOurHost(bareHostname(url), admission)) return foreignHost(url.host);
  const origin = headers.get("origin");
  if (origin !== null) return isOurOrigin(origin, url, admission) ? undefined : foreignOrigin(origin);
  return headers.get("sec-fetch-site")?.toLowerCase() === "cross-site"
    ? foreignOrigin("another site")
    : undefined;
}

/**
 * Why a browser may not load a part of the API as a page, a frame, a worker or a part of a page; undefined if it may. It
 * would have our origin, and could use our own page. A `fetch` has the destination `empty`, and programs have none.
 */
export function refuseDestination(headers: Headers): HttpError | undefined {
  const destination = headers.get("sec-fetch-dest") ?? "empty";
  if (destination === "empty" && headers.get("sec-fetch-mode") !== "navigate") return undefined;
  return forbidden(
    "browser_destination",
    "A browser requested this address as a page or as part of a page. The API is only for programs and `fetch`: use curl, or " +
      "open /_dragoman/",
  );
}

/** Who sent a request, and whether the client may use the proxy. */
interface Admitted {
  /** Why it may not; undefined if it may. */
  readonly refused: HttpError | undefined;
  /** The client key that lets it in; undefined without one. A secret. */
  readonly key: string | undefined;
  /** All keys of the request, whatever they are for: two clients differ in it. Empty without any. A secret. */
  readonly requester: string;
}

/** What tells clients apart for a conversation: the name of the key that lets it in, that key, or all its keys. A secret. */
export function ownerOf({ key, requester }: Omit<Admitted, "refused">, name?: string): string {
  return JSON.stringify(name === undefined ? key ?? requester : { name });
}

/** Reads who a client is, and removes its keys from the headers, so that they never reach an upstream. */
export function admit(headers: Headers, { listen, hostname, clientKeys }: Admission): Admitted {
  const given = KEY_HEADERS.map((name) => headers.get(name));
  const requester = given.every((value) => value === null) ? "" : JSON.stringify(given);
  if (clientKeys.length === 0) {
    const isOpen = listen.open || isLoopback(hostname);
    return { refused: isOpen ? undefined : CLOSED, key: undefined, requester };
  }
  const known = given.map((value) => value !== null && isOneOf(value, clientKeys));
  KEY_HEADERS.filter((_, at) => known[at]).forEach((name) => headers.delete(name));
  const key = given[known.indexOf(true)]?.replace(/^bearer\s+/i, "").trim();
  return { refused: key === undefined ? WRONG_KEY : undefined, key, requester };
}

/** Why a URL with a client key in it is refused: URLs are logged, also by the upstream; undefined if it has none. */
export function refuseKeyInUrl(
  { pathname, searchParams }: URL,
  clientKeys: readonly string[],
): HttpError | undefined {
  const shortest = Math.min(...clientKeys.map((key) => key.length));
  const parts = [...pathname.split("/"), ...searchParams.values()].map(decoded);
  const isKey = parts.some((part) => part.length >= shortest && isOneOf(part, clientKeys));
  return isKey ? KEY_IN_URL : undefined;
}

/** A path as it may be printed: without keys, however they are escaped. */
export function withoutKeys(pathname: string, keys: readonly string[]): string {
  const path = decoded(pathname);
  const found = keys.filter((key) => key !== "" && path.includes(key));
  return found.length === 0
    ? pathname
    : found.reduce((text, key) => text.replaceAll(key, "[redacted]"), path);
}

/** How often an address is decoded in search of a key. */
const DECODINGS_MAX = 4;

/** A text without escapes, also those that are escaped themselves: a server after this one can decode it once more. */
function decoded(text: string): string {
  for (let round = 0; round < DECODINGS_MAX && text.includes("%"); round++) text = decodedOnce(text);
  return text;
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Keys are ASCII, which can be read even if the rest isn't UTF-8.
    return text.replace(/%([0-7][\da-f])/gi, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
  }
}

/** The CORS headers of an answer: none unless the configuration lists the origin. */
export function corsHeaders(headers: Headers, { listen }: Admission): readonly [string, string][] {
  const origin = headers.get("origin");
  if (origin === null || !listen.origins.includes(origin)) return [];
  return [["access-control-allow-origin", origin], ["vary", "origin"]];
}

/** The answer to a preflight. It allows only origins that the configuration lists. */
export function answerPreflight(headers: Headers, admission: Admission): Response {
  const cors = corsHeaders(headers, admission);
  const answer = new Headers([["allow", "GET, POST, DELETE, OPTIONS"], ...cors]);
  if (cors.length > 0) {
    answer.set("access-control-allow-methods", "GET, POST, DELETE");
    answer.set("access-control-allow-headers", headers.get("access-control-request-headers") ?? "*");
    answer.set("access-control-max-age", "600");
    if (headers.get("access-control-request-private-network") === "true") {
      answer.set("access-control-allow-private-network", "true");
    }
  }
  return new Response(null, { status: 204, headers: answer });
}

/** The host of a URL, without brackets and without a final dot. */
function bareHostname({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, "");
}

function isOurHost(host: string, { listen, hostname }: Admission): boolean {
  if (isLoopback(host) || host === hostname.toLowerCase()) return true;
  if (listen.hosts.some((name) => name.toLowerCase() === host)) return true;
  // DNS rebinding needs a name; a request for an address reaches the machine that has it.
  return isEveryAddress(hostname) && /^[\d.]+$|:/.test(host);
}

function isEveryAddress(hostname: string): boolean {
  return hostname === "0.0.0.0" || hostname === "::";
}

function isOurOrigin(origin: string, asked: URL, { listen }: Admission): boolean {
  if (listen.origins.includes(origin) || PROGRAM_ORIGINS.test(origin)) return true;
  const url = URL.parse(origin);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return isLoopback(bareHostname(url)) || url.host === asked.host;
}

const WRONG_KEY: HttpError = {
  status: 401,
  type: "invalid_request_error",
  code: "invalid_api_key",
  message:
    "The client key is missing or wrong. Send `Authorization: Bearer KEY` with a key from `listen.key_env` or `listen.keys`, or " +
    "`X-Dragoman-Key: KEY` if Authorization is for the model server",
};

const KEY_IN_URL: HttpError = {
  ...WRONG_KEY,
  message:
    "The URL contains a client key, which would end up in logs. Send it as `Authorization: Bearer KEY`, and replace it",
};

/** For a server on the network whose keys an edit of the configuration removed. */
const CLOSED: HttpError = {
  status: 401,
  type: "invalid_request_error",
  code: "invalid_api_key",
  message:
    "This proxy accepts connections from other machines, but no client key is set. Set `listen.key_env`, or restart the proxy",
};

function forbidden(code: string, message: string): HttpError {
  return { status: 403, type: "invalid_request_error", code, message };
}

function foreignHost(host: string): HttpError {
  return forbidden(
    "foreign_host",
    `This proxy doesn't have the name \`${host}\`. Use 127.0.0.1 or localhost, or add the name to ` +
      "`listen.hosts` in dragoman.yaml",
  );
}

function foreignOrigin(origin: string): HttpError {
  return forbidden(
    "foreign_origin",
    `A web page of ${origin} asked for this. If it may use the proxy and its key, add its origin to ` +
      "`listen.origins` in dragoman.yaml",
  );
}
