/**
 * The server: sends each request that the door lets in to the handler of its path. What it works with can be swapped
 * while it runs.
 *
 * @module
 */
import type { QuotaLimits } from "../store/quota.ts";
import { MemoryTexts, type Texts } from "../store/text.ts";
import { clientKeyOf, refuseClient, requesterOf } from "./admission.ts";
import { createDoor, type Door, type RequestContext, type RequestHandler } from "./door.ts";
import type { KeyLimits, LimitedError } from "./key_limits.ts";
import { isEvents } from "../transport/headers.ts";
import { KeptItems } from "../exchange/kept_items.ts";
import { correctBase, findRoute, type Route, ROUTES } from "./route.ts";
import { answerWire, refuse as refuseOnWire } from "../exchange/wire.ts";
import { passThrough, proxyChat, type ProxyContext } from "../exchange/proxy.ts";
import { errorResponse, type HttpError, internalError, isError, jsonResponse } from "../transport/respond.ts";
import type { Service } from "../exchange/service.ts";
import { SAMPLE_UPSTREAM } from "../upstream/upstream.ts";
import { createUpstreamHealth, type UpstreamHealth } from "../upstream/upstream_health.ts";

/** What a server is made of, besides what it serves. */
export interface ServerOptions
  extends Partial<Pick<ProxyContext, "newId" | "observe" | "watches" | "connect" | "keepAliveMs">> {
  /** What it works with at first. */
  readonly service: Service;
  /** Whether an HTTP proxy is between Dragoman and the upstreams: connecting to them then proves nothing. */
  readonly isBehindProxy?: boolean;
  /** The embedded sample model. */
  readonly sample: (request: Request) => Promise<Response>;
  /** Answers `/metrics` and `/_dragoman/…`; `remote`: the address that asks, undefined where none is known. */
  readonly pages?: (request: Request, remote: string | undefined) => Promise<Response>;
  /** Knows which upstreams answer; kept over a reload. */
  readonly health?: UpstreamHealth;
  /** Counts what client keys use, and limits it. */
  readonly keyLimits?: KeyLimits | undefined;
  /** Keeps what answers leave for later requests; kept over a reload. */
  readonly texts?: Texts;
  /** Gets each request that no watch gets. */
  readonly unwatched?: RequestHandler["unwatched"];
  /** Takes what was thrown for each answer with status 500 of ours. */
  readonly failed?: RequestHandler["failed"];
}

/** A server, listening or not yet. */
export interface Server extends Door {
  /** Swaps what new requests work with; the address it listens on stays. */
  swap(service: Service): void;
}

/**
 * A server that is not listening yet.
 *
 * @param options what it is made of
 */
export function createServer(options: ServerOptions): Server {
  const { health = createUpstreamHealth(), texts = ownTexts() } = options;
  let handler = createHandler({ ...options, health, texts });
  return {
    ...createDoor(() => handler),
    swap(service) {
      handler = createHandler({ ...options, health, texts, service });
    },
  };
}

/** What answers the requests that come through a door. */
export function createHandler({ service, isBehindProxy, pages, ...options }: ServerOptions): RequestHandler {
  const { health = createUpstreamHealth(), texts = ownTexts() } = options;
  const around = {
    health,
    texts,
    seeUpstream: (name: string, answers: boolean) => health.see(name, answers),
    isDown: (name: string) => health.isDown(name, service.config.routing.cooldown_ms),
    newId: options.newId ?? newCallId,
    connect: options.connect ?? (isBehindProxy ? undefined : tryConnection),
    sample: options.sample,
    observe: options.observe,
    watches: options.watches,
    keepAliveMs: options.keepAliveMs,
    keyLimits: options.keyLimits,
    failed: options.failed,
    service,
    pages,
  };
  return {
    config: service.config,
    clientKeys: service.clientKeys ?? [],
    unwatched: options.unwatched,
    failed: options.failed,
    health: () => liveness(service),
    respond: (request, context) => respond(request, { ...around, ...context }),
  };
}

function ownTexts(): Texts {
  return new MemoryTexts(() => performance.now());
}

interface Around extends Omit<ProxyContext, "route" | "watched" | "items">, RequestContext {
  readonly texts: Texts;
  readonly health: UpstreamHealth;
  readonly pages: ServerOptions["pages"] | undefined;
  readonly keyLimits: KeyLimits | undefined;
}

async function respond(request: Request, around: Around): Promise<Response> {
  const route = findRoute(request);
  // The pages about us have rules of their own.
  if (route.kind === "page" && around.pages !== undefined) return await around.pages(request, around.remote);
  const key = clientKeyOf(request.headers, around.admission);
  const name = key === undefined ? undefined : around.service.keyNames?.get(key);
  around.identify?.({ wire: wireOf(route), key: name });
  // Before the key is taken out of the headers.
  const items = new KeptItems(around.texts, requesterOf(request.headers));
  const refused = refuseClient(request.headers, around.admission);
  if (route.kind === "ready") return await readiness(around, { isKnown: refused === undefined });
  if (refused !== undefined) return refuse(refused, route);
  try {
    return await withinLimits(request, { ...around, items, key: name, secret: key, route });
  } catch (cause) {
    around.failed?.(cause);
    return refuse(internalError(cause), route);
  }
}

/** Answers a request if its key's limits allow that. */
async function withinLimits(
  request: Request,
  { secret, ...around }: Routed & { readonly secret: string | undefined },
) {
  const limits = limitsOf(around.service);
  // What only reads, such as a list of models, costs nothing.
  if (around.keyLimits === undefined || limits === undefined || request.method !== "POST") {
    return await answer(request, around);
  }
  const bytes = Number(request.headers.get("content-length") ?? 0);
  const entry = await around.keyLimits.enter({ key: secret, name: around.key, limits, bytes });
  if (isError(entry)) return refuseLimited(entry, around.route);
  let response: Response | undefined;
  const leave = (sent: number) =>
    entry.leave({ bytes: sent, areEvents: response !== undefined && isEvents(response.headers) });
  around.closed?.(leave);
  try {
    response = await answer(request, { ...around, watches: [...around.watches ?? [], entry.watch] });
    return response;
  } finally {
    // Without a connection, no one tells when the answer is over.
    if (around.closed === undefined) leave(0);
  }
}

/** The limits of a client key; undefined without any. */
function limitsOf({ config }: Service): QuotaLimits | undefined {
  const limits: QuotaLimits = {
    requests: config.limits.per_key.requests_per_minute,
    tokens: config.limits.per_key.tokens_per_minute,
    day_requests: config.limits.per_key.requests_per_day,
    day_tokens: config.limits.per_key.tokens_per_day,
    streams: config.limits.per_key.streams,
  };
  return Object.values(limits).every((limit) => limit === undefined) ? undefined : limits;
}

/** The API of a chat's route, as in `RequestFacts`. */
function wireOf(route: Route): string | undefined {
  return route.kind === "wire" ? route.wire.name : route.kind === "chat" ? "chat" : undefined;
}

/** An error in the form of the route's API. */
function refuse(error: HttpError, route: Route): Response {
  return route.kind === "wire" ? refuseOnWire(route.wire, error) : errorResponse(error);
}

function refuseLimited(error: LimitedError, route: Route): Response {
  const response = refuse(error, route);
  response.headers.set("retry-after", String(error.retrySeconds));
  return response;
}

/** A request and where it goes. */
interface Routed extends Around, Pick<ProxyContext, "items"> {
  readonly route: Route;
}

async function answer(request: Request, { route, ...around }: Routed): Promise<Response> {
  switch (route.kind) {
    case "chat":
      return await proxyChat(request, { ...around, route });
    case "wire":
      return await answerWire(request, { ...around, route: { ...route, kind: "chat", rest: "" } }, route);
    case "pass":
      return correctBase(request.url) === undefined
        ? await passThrough(request, { ...around, route })
        : errorResponse(notFound(request));
    case "page":
    case "ready":
    case "unknown":
      return errorResponse(notFound(request));
  }
}

/** The error of a path that nothing is served at, with the base URL that the client needs if its path shows that. */
function notFound({ method, url }: Request): HttpError {
  const base = correctBase(url);
  const help = base === undefined
    ? "A client's base URL ends in /v1"
    : `Set the client's base URL to ${base}: the client adds the rest of the path`;
  return {
    status: 404,
    type: "invalid_request_error",
    code: "not_found",
    message: `Nothing is served at ${method} ${new URL(url).pathname}. ${help}. ` +
      `Expected one of: ${ROUTES.join("; ")}`,
  };
}

function liveness({ config, clientNames }: Service): unknown {
  const upstreams = config.upstreams.length === 0 ? [SAMPLE_UPSTREAM] : config.upstreams;
  return { status: "ok", upstreams: upstreams.map((upstream) => upstream.name), clients: clientNames };
}

/**
 * Whether an upstream answered lately: 200 or 503. It needs no key, and without one gets nothing but a word. The embedded
 * sample model always answers.
 */
async function readiness(
  { service, health }: Around,
  { isKnown }: { readonly isKnown: boolean },
): Promise<Response> {
  const { upstreams } = service.config;
  const isReady = upstreams.length === 0 || await health.isReady(service);
  const status = isReady ? "ready" : "not_ready";
  const details = isKnown ? { upstreams: health.states(upstreams) } : {};
  return jsonResponse({ status, ...details }, isReady ? 200 : 503);
}

function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "")}`;
}

async function tryConnection(url: URL, signal: AbortSignal): Promise<void> {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const connection = await Deno.connect({ hostname: url.hostname.replace(/^\[|\]$/g, ""), port, signal });
  connection.close();
}
