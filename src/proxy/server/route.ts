/**
 * What a request's path asks for. Pure: paths in, routes out.
 *
 *     /v1/chat/completions                  a chat
 *     /v1/messages, …                       an answer on another wire (see src/wires)
 *     /v1/…                                 any other part of the API: passed through
 *     /CLIENT/v1/…                          the same, for a named client
 *     /upstream/NAME/v1/…                   the same, for a named upstream; also /upstream/NAME/CLIENT/v1/…
 *     /health                               whether the server runs (see `gateway.ts`)
 *     /health/ready                         whether an upstream answers
 *     /metrics, /_dragoman/…                Dragoman's own pages
 *
 * @module
 */
import { present } from "../../engine/object/present.ts";
import { findWire, type WireRequest } from "../../wires/wires.ts";

export interface ApiRoute {
  /** `chat`: an answer to translate; `pass`: anything else. */
  readonly kind: "chat" | "pass";
  /** The path after `/v1`, with its query: what is appended to the upstream's base URL. */
  readonly rest: string;
  readonly client?: string;
  readonly upstream?: string;
}

/** A request on a wire other than chat completions. */
interface WireRoute extends WireRequest, Pick<ApiRoute, "client" | "upstream"> {
  readonly kind: "wire";
}

export type Route = ApiRoute | WireRoute | { readonly kind: "ready" | "page" | "unknown" };

/** The routes as people read them, for the answer to a wrong path. */
export const ROUTES: readonly string[] = [
  "POST /v1/chat/completions",
  "POST /v1/messages (Anthropic)",
  "POST /v1/responses, /v1/responses/compact (OpenAI Responses)",
  "POST /api/chat (Ollama)",
  "POST /v1beta/models/MODEL:generateContent (Gemini)",
  "/v1/… (passed through)",
  "/CLIENT/v1/… (CLIENT: openai, roo, cline …)",
  "/upstream/NAME/v1/…",
  "GET /health",
  "GET /health/ready",
  "GET /metrics",
  "/_dragoman/ (a page in a browser; otherwise, a list of its contents as JSON)",
];

interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly headers?: Headers;
}

/** The upstream and the client that a path names, and the API's own path. */
const ROUTE =
  /^(?:\/upstream\/(?<upstream>[^/]+))?(?:\/(?<client>[^/]+))??(?<path>(?<chat>\/v1)(?:\/.*)?|\/(?:v1beta|api)(?:\/.*)?)$/;

/**
 * Reads a request's method and URL.
 *
 * @example
 * ```ts
 * import { findRoute } from "./route.ts";
 * const route = findRoute({ method: "POST", url: "http://127.0.0.1/roo/v1/chat/completions" });
 * console.assert(route.kind === "chat" && route.client === "roo");
 * ```
 */
export function findRoute(request: RequestHead): Route {
  const { pathname, search, searchParams } = new URL(request.url);
  const { method, headers = new Headers() } = request;
  if (/^\/health\/ready\/?$/.test(pathname) && (method === "GET" || method === "HEAD")) {
    return { kind: "ready" };
  }
  if (pathname === "/metrics" || pathname.startsWith("/_dragoman/") || pathname === "/_dragoman") {
    return { kind: "page" };
  }
  if (climbs(pathname)) return { kind: "unknown" };
  const match = ROUTE.exec(pathname);
  const { upstream, client, path = pathname } = match?.groups ?? {};
  const named = present({ client, upstream });
  const wire = findWire({ method, path, query: searchParams, headers });
  if (wire !== undefined) return { kind: "wire", ...wire, ...named };
  if (match?.groups?.["chat"] === undefined) return { kind: "unknown" };
  const rest = path.slice("/v1".length);
  const isChat = method === "POST" && /^\/chat\/completions\/?$/.test(rest);
  return {
    kind: isChat ? "chat" : "pass",
    rest: rest + search,
    ...named,
  };
}

/** The endpoints that agents append, by the base URL that they expect. */
const ENDPOINTS = {
  v1: /^\/(?:chat\/completions|completions|responses|models|embeddings)\/?$/,
  origin: /^\/(?:messages(?:\/count_tokens)?|chat|generate|tags)\/?$/,
};

/** The base URL that the client should use, if its path shows a wrong one: `/v1` twice, an endpoint twice, or no `/v1`. */
export function correctBase(url: string): string | undefined {
  const { origin, pathname } = new URL(url);
  if (/^(?:\/[^/]+)?\/v1\/(?:v1|v1beta|api)\//.test(pathname)) {
    const isChat = /\/v1\/v1\/(?:chat\/|responses|models|completions|embeddings)/.test(pathname);
    return isChat ? `${origin}/v1` : origin;
  }
  if (/\/(chat\/completions|responses|messages)\/(?:v1\/)?\1\/?$/.test(pathname)) {
    return pathname.includes("/messages") ? origin : `${origin}/v1`;
  }
  if (ENDPOINTS.v1.test(pathname)) return `${origin}/v1`;
  return ENDPOINTS.origin.test(pathname) ? origin : undefined;
}

/** How often a path is decoded before it counts as one that hides something. */
const DECODINGS_MAX = 4;

/**
 * Whether a path leaves its folder for a server that decodes it, once or several times, or that drops what follows a
 * semicolon: `/v1/%2e%2e%2fadmin`, `/v1/%252e%252e%252fadmin`, `/v1/..;/admin`. `URL` resolves only unencoded dots.
 */
function climbs(pathname: string): boolean {
  let path = pathname;
  for (let round = 0; round < DECODINGS_MAX; round++) {
    if (path.split(/[/\\]/).some(isParent)) return true;
    const decoded = decodedOnce(path, { isFirst: round === 0 });
    if (decoded === path) return false;
    // The escapes aren't UTF-8, so the meaning of the path is unknown.
    if (decoded === undefined) return true;
    path = decoded;
  }
  return true;
}

/** Whether a server can take a segment for `..`: some cut it at a semicolon or a control character. */
function isParent(segment: string): boolean {
  return /^\.[\0-\x20]*\.[\0-\x20]*(?:;|$)/.test(segment);
}

/** Decodes the escapes of a path; a percent sign that an earlier round has left is one itself. */
function decodedOnce(path: string, { isFirst }: { readonly isFirst: boolean }): string | undefined {
  try {
    return decodeURIComponent(isFirst ? path : path.replace(/%(?![\da-f]{2})/gi, "%25"));
  } catch {
    return undefined;
  }
}
