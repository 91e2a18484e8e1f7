/**
 * The pages about a running server: status, rules, recent decisions, plugin memory, reload and metrics. They are JSON,
 * except for the metrics; a browser gets the page that shows them (`site.ts`). Their content comes from outside; the key
 * is used only to check access.
 *
 * @module
 */
import { visibleJson } from "../diagnostic/visible.ts";
import {
  type AccessDenial,
  type AccessKeys,
  exchangeKey,
  refusePlace,
  refuseVisitor,
  WRONG_KEY,
} from "./access.ts";
import { endedCookie } from "./session.ts";
import { GUARDS, type ReadSiteFile, siteResponse, wantsPage } from "./site.ts";

/** A page whose entries can be reset: strikes, queues. */
export interface AdminSection {
  /** The entries, or a promise of them, without contents of conversations. */
  read(): unknown;
  /** Removes one entry; returns whether it existed. */
  reset?(key: string): boolean | Promise<boolean>;
}

/** The content of the pages. */
export interface AdminOptions {
  /** The keys that open the pages. */
  readonly keys: () => AccessKeys;
  /** Version, uptime, configuration. */
  readonly status: () => unknown;
  /** The rules and their hits. */
  readonly rules: () => unknown;
  /** The recent decisions. */
  readonly decisions: () => unknown;
  /** Name → section. */
  readonly sections: ReadonlyMap<string, AdminSection>;
  /** Reloads everything and returns the result. */
  readonly reload?: (() => Promise<unknown>) | undefined;
  /** The text that Prometheus reads. */
  readonly metrics: () => Promise<{ readonly text: string; readonly type: string }>;
  /** Gives the files of the page. */
  readonly site: ReadSiteFile;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
}

/** The longest key that is read. */
const KEY_MAX = 4096;

/** Answers requests for `/metrics` and `/_dragoman/…`; `remote` is the address of the visitor. */
export function createPages(
  options: AdminOptions,
): (request: Request, remote: string | undefined) => Promise<Response> {
  return async (request, remote) => {
    const keys = options.keys();
    const visitor = { headers: request.headers, remote, now: options.now() };
    const stranger = refusePlace(visitor, keys);
    if (stranger !== undefined) return errorPage(stranger);
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^\/_dragoman/, "").replace(/\/+$/, "") || "/";
    const isRead = request.method === "GET" || request.method === "HEAD";
    const shown = isRead ? await showPage(request, path, options) : undefined;
    if (shown !== undefined) return shown;
    if (path === "/session") return await answerSession(request, keys, options.now());
    const refusal = refuseVisitor(visitor, keys);
    if (refusal !== undefined) return errorPage(refusal);
    if (isRead) return await show(path, options);
    if (request.method !== "POST") return errorPage({ status: 405, message: "Expected GET or POST" });
    if (path === "/reload" && options.reload !== undefined) return json(await options.reload());
    const name = /^\/sections\/([^/]+)\/reset$/.exec(path)?.[1];
    const section = options.sections.get(name ?? "");
    if (section?.reset === undefined) return nothing(path, options);
    return json({ reset: await section.reset(searchParams.get("key") ?? "") });
  };
}

/** The page and its files; undefined for everything else. */
async function showPage(
  request: Request,
  path: string,
  { site }: AdminOptions,
): Promise<Response | undefined> {
  if (path.startsWith("/app/")) return await siteResponse(request, path.slice("/app/".length), site);
  if (path !== "/" || !wantsPage(request.headers)) return undefined;
  // The page names its files relative to its own address.
  if (new URL(request.url).pathname.endsWith("/")) return await siteResponse(request, "index.html", site);
  return new Response(null, { status: 308, headers: { ...GUARDS, location: "_dragoman/" } });
}

/** Exchanges a key, which is the body of the request, for a session, or ends the session. */
async function answerSession(request: Request, keys: AccessKeys, now: number): Promise<Response> {
  if (request.method === "DELETE") return withCookie(json({ session: false }), endedCookie());
  if (request.method !== "POST") return errorPage({ status: 405, message: "Expected POST or DELETE" });
  const length = Number(request.headers.get("content-length") ?? Infinity);
  const given = length > KEY_MAX ? "" : await request.text();
  const cookie = exchangeKey(given, keys, now);
  return cookie === undefined ? errorPage(WRONG_KEY) : withCookie(json({ session: true }), cookie);
}

function withCookie(response: Response, cookie: string): Response {
  response.headers.set("set-cookie", cookie);
  return response;
}

async function show(path: string, options: AdminOptions): Promise<Response> {
  const section = options.sections.get(/^\/sections\/([^/]+)$/.exec(path)?.[1] ?? "");
  switch (path) {
    case "/metrics": {
      const { text, type } = await options.metrics();
      return new Response(text, { headers: { ...GUARDS, "content-type": type } });
    }
    case "/":
      return json({ pages: pagesOf(options) });
    case "/status":
      return json(options.status());
    case "/rules":
      return json(options.rules());
    case "/decisions":
      return json(options.decisions());
    default:
      return section === undefined ? nothing(path, options) : json(await section.read());
  }
}

function pagesOf({ sections, reload }: AdminOptions): string[] {
  const each = [...sections].flatMap(([name, { reset }]) => [
    `GET /_dragoman/sections/${name}`,
    ...(reset === undefined ? [] : [`POST /_dragoman/sections/${name}/reset?key=KEY`]),
  ]);
  return [
    "GET /metrics",
    "GET /_dragoman/status",
    "GET /_dragoman/rules",
    "GET /_dragoman/decisions",
    ...each,
    ...(reload === undefined ? [] : ["POST /_dragoman/reload"]),
  ];
}

function nothing(path: string, options: AdminOptions): Response {
  return errorPage({
    status: 404,
    message: `Unknown page ${path}. Expected one of: ${pagesOf(options).join("; ")}`,
  });
}

function errorPage({ status, message }: AccessDenial | { status: number; message: string }): Response {
  return json({ error: { message, type: "admin_error", code: String(status) } }, status);
}

function json(value: unknown, status = 200): Response {
  return new Response(`${visibleJson(value, 2)}\n`, {
    status,
    headers: { ...GUARDS, "content-type": "application/json", "cache-control": "no-store", vary: "accept" },
  });
}
