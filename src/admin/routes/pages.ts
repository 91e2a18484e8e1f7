/**
 * The pages about a running server: status, rules, recent decisions, plugin memory, reload and metrics. They are JSON,
 * except for the metrics; a browser gets the page that shows them (`site.ts`). Their content comes from outside; the key
 * is used only to check access.
 *
 * @module
 */
import { visibleJson } from "../../engine/diagnostic/visible.ts";
import {
  type AccessDenial,
  type AccessKeys,
  exchangeKey,
  isSignedIn,
  refusePlace,
  refuseVisitor,
  type Visitor,
  WRONG_KEY,
} from "./access.ts";
import { endedCookie } from "./sign_in.ts";
import { GUARDS, type ReadSiteFile, siteResponse, wantsPage } from "./site.ts";
import type { PlaygroundSetup, SaveResult } from "./playground.ts";

/** A page whose entries can be reset: strikes, queues. */
export interface AdminSection {
  /** The entries, or a promise of them, without contents of conversations. */
  read(): unknown;
  /** Removes one entry; returns whether it existed. */
  reset?(key: string): boolean | Promise<boolean>;
}

export interface LivePages {
  /** Opens a stream of server-sent events with every change; undefined if too many are open. */
  open(): ReadableStream<Uint8Array> | undefined;
  /** Everything about a request; undefined if it isn't kept. */
  detailOf(id: string): unknown;
  /** Changes with every change of the detail; undefined if the request isn't kept. */
  versionOf(id: string): number | undefined;
}

interface AdminOptions {
  readonly keys: () => AccessKeys;
  /** Name → what `GET /_dragoman/NAME` answers as JSON, by its query; undefined: it isn't there. */
  readonly data: Readonly<Record<string, (query: URLSearchParams) => unknown>>;
  readonly live: LivePages;
  readonly sections: ReadonlyMap<string, AdminSection>;
  readonly reload?: (() => Promise<unknown>) | undefined;
  readonly metrics: () => Promise<{ readonly text: string; readonly type: string }>;
  readonly playground: Playground;
  readonly site: ReadSiteFile;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
}

const KEY_MAX = 4096;

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
    if (path === "/session") return await answerSession(request, visitor, keys);
    const refusal = refuseVisitor(visitor, keys);
    if (refusal !== undefined) return errorPage(refusal);
    const played = await answerPlayground(request, path, options.playground);
    if (played !== undefined) return json(played.body, played.status);
    if (isRead) return await show(request, path, options);
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

/** Exchanges a key, which is the body of the request, for a session, ends the session, or states whether there is one. */
async function answerSession(request: Request, visitor: Visitor, keys: AccessKeys): Promise<Response> {
  if (request.method === "GET") return json({ session: isSignedIn(visitor, keys) });
  if (request.method === "DELETE") return withCookie(json({ session: false }), endedCookie());
  if (request.method !== "POST") return errorPage({ status: 405, message: "Expected GET, POST, or DELETE" });
  const length = Number(request.headers.get("content-length") ?? Infinity);
  const given = length > KEY_MAX ? "" : await request.text();
  const cookie = exchangeKey(given, keys, visitor.now);
  return cookie === undefined ? errorPage(WRONG_KEY) : withCookie(json({ session: true }), cookie);
}

function withCookie(response: Response, cookie: string): Response {
  response.headers.set("set-cookie", cookie);
  return response;
}

async function show(request: Request, path: string, options: AdminOptions): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const name = path.slice(1);
  const data = Object.hasOwn(options.data, name) ? options.data[name] : undefined;
  const section = options.sections.get(/^\/sections\/([^/]+)$/.exec(path)?.[1] ?? "");
  if (data !== undefined) {
    const value = await data(searchParams);
    if (value !== undefined) return json(value);
  }
  if (section !== undefined) return json(await section.read());
  if (path === "/") return json({ pages: pagesOf(options) });
  if (path === "/live") return showLive(options.live);
  if (path.startsWith("/live/")) return showDetail(path.slice("/live/".length), searchParams, options.live);
  if (path !== "/metrics") return nothing(path, options);
  const { text, type } = await options.metrics();
  return new Response(text, { headers: { ...GUARDS, "content-type": type } });
}

function showLive(live: LivePages): Response {
  const stream = live.open();
  if (stream === undefined) {
    return errorPage({
      status: 503,
      message: "Too many pages are open, or the server is stopping. Close one",
    });
  }
  return new Response(stream, {
    headers: {
      ...GUARDS,
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    },
  });
}

/** The detail of a request; 204 if it is still the version that the page has. */
function showDetail(id: string, query: URLSearchParams, live: LivePages): Response {
  const version = live.versionOf(id);
  if (version === undefined) return errorPage({ status: 404, message: "This request is no longer stored" });
  if (query.get("version") === String(version)) {
    return new Response(null, { status: 204, headers: { ...GUARDS } });
  }
  return json(live.detailOf(id));
}

function pagesOf({ data, sections, reload }: AdminOptions): string[] {
  const each = [...sections].flatMap(([name, { reset }]) => [
    `GET /_dragoman/sections/${name}`,
    ...(reset === undefined ? [] : [`POST /_dragoman/sections/${name}/reset?key=KEY`]),
  ]);
  return [
    "GET /metrics",
    ...Object.keys(data).map((name) => `GET /_dragoman/${name}`),
    "GET /_dragoman/live",
    "GET /_dragoman/live/ID",
    ...PLAYGROUND_PAGES,
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

interface Playground {
  setup(): Promise<PlaygroundSetup>;
  save(text: string): Promise<SaveResult>;
}

/** The longest rule that is saved, in characters. */
const RULE_LENGTH_MAX = 64 * 1024;

/** The type of a rule's text. A form of a web page can't send it, and a script of another origin has to ask first. */
const RULE_TYPE = "application/yaml";

const PLAYGROUND_PAGES: readonly string[] = ["GET /_dragoman/playground", "POST /_dragoman/rules"];

/** An answer before it is written. */
interface PlaygroundAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Answers a request that may see the pages; undefined if it is for another address. */
export async function answerPlayground(
  request: Request,
  path: string,
  playground: Playground,
): Promise<PlaygroundAnswer | undefined> {
  if (request.method === "POST" && path === "/rules") return await save(request, playground);
  if (request.method !== "GET" || path !== "/playground") return undefined;
  return { status: 200, body: await playground.setup() };
}

async function save(request: Request, playground: Playground): Promise<PlaygroundAnswer> {
  const site = request.headers.get("sec-fetch-site") ?? "none";
  if (site !== "same-origin" && site !== "none") {
    return refused(403, "Only the page of this server can save a rule");
  }
  const type = request.headers.get("content-type") ?? "";
  if (type.split(";")[0]?.trim() !== RULE_TYPE) return refused(415, `Expected the type ${RULE_TYPE}`);
  const text = await readText(request);
  if (text === undefined) {
    return refused(413, `The rule is longer than ${RULE_LENGTH_MAX} characters. Save the file yourself`);
  }
  const result = await playground.save(text);
  if (result.isSaved) return { status: 200, body: result };
  const { status, message, help, diagnostics } = result;
  return { ...refused(status, `${message}: ${help}`, diagnostics), status };
}

function refused(status: number, message: string, diagnostics?: unknown): PlaygroundAnswer {
  const error = { message, type: "admin_error", code: String(status) };
  return { status, body: { error, ...(diagnostics === undefined ? {} : { diagnostics }) } };
}

/** The body; undefined if it is too long, which isn't read to its end. */
async function readText({ body }: Request): Promise<string | undefined> {
  let text = "";
  if (body === null) return text;
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.length > RULE_LENGTH_MAX) return undefined;
  }
  return text;
}
