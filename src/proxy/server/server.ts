/** The server: routes each request that the gateway lets in. Its service can be replaced while it runs. @module */
import type { QuotaLimits } from "../store/quota.ts";
import { MemoryTexts, type Texts } from "../store/text.ts";
import { admit, ownerOf, refuseDestination, refuseKeyInUrl } from "./admission.ts";
import { type Arrival, createGateway, type Gateway, type RequestHandler } from "./gateway.ts";
import type { UpstreamConfig } from "../config/schema.ts";
import type { KeyEntry, KeyLimits, LimitedError } from "./key_limits.ts";
import { countedBody } from "../transport/counted_body.ts";
import { codingsOf } from "../transport/encoding.ts";
import { isEvents } from "../transport/headers.ts";
import { ItemMemory } from "../exchange/item_memory.ts";
import { ThoughtMemory } from "../exchange/thought_memory.ts";
import { correctBase, findRoute, type Route, ROUTES } from "./route.ts";
import { answerWire, refuse as refuseOnWire } from "../exchange/wire.ts";
import { PrefixMemory } from "../exchange/prefix_memory.ts";
import { passThrough, proxyChat } from "../exchange/proxy.ts";
import type { RequestContext, ServerContext } from "../exchange/request_context.ts";
import { errorResponse, type HttpError, internalError, isError, jsonResponse } from "../transport/respond.ts";
import type { Service } from "../exchange/service.ts";
import { SAMPLE_UPSTREAM } from "../upstream/upstream.ts";
import { createUpstreamHealth, type UpstreamHealth } from "../upstream/upstream_health.ts";

export interface ServerOptions
  extends Partial<Pick<ServerContext, "newId" | "observe" | "watches" | "connect" | "prefixes">> {
  readonly service: Service;
  /** Whether an HTTP proxy is between Dragoman and the upstreams; a connection then proves nothing. */
  readonly isBehindProxy?: boolean;
  readonly sample: (request: Request) => Promise<Response>;
  /** Answers `/metrics` and `/_dragoman/…`; `remote` is the caller's address, if it is known. */
  readonly pages?: (request: Request, remote: string | undefined) => Promise<Response>;
  readonly health?: UpstreamHealth;
  readonly keyLimits?: KeyLimits | undefined;
  readonly texts?: Texts;
  readonly unwatched?: RequestHandler["unwatched"];
  readonly failed?: RequestHandler["failed"];
}

export interface Server extends Gateway {
  /** Replaces the service for new requests. The listening address stays. */
  swap(service: Service): void;
}

export function createServer(options: ServerOptions): Server {
  const { health = createUpstreamHealth(options.service.servers), texts = ownTexts() } = options;
  const prefixes = new PrefixMemory();
  let handler = createHandler({ ...options, health, texts, prefixes });
  return {
    ...createGateway(() => handler),
    swap(service) {
      handler = createHandler({ ...options, health, texts, prefixes, service });
    },
  };
}

/** What answers the requests that come through a gateway. */
export function createHandler({ service, isBehindProxy, pages, ...options }: ServerOptions): RequestHandler {
  const { health = createUpstreamHealth(service.servers), texts = ownTexts() } = options;
  const parts = {
    health,
    prefixes: options.prefixes ?? new PrefixMemory(),
    texts,
    seeUpstream: (name: string, answers: boolean) => health.see(name, answers),
    settle: (upstream: UpstreamConfig) => health.settle(upstream, service.keys.get(upstream.name)),
    isDown: (name: string) => health.isDown(name, service.config.routing.cooldown_ms),
    newId: options.newId ?? newCallId,
    connect: options.connect ?? (isBehindProxy ? undefined : tryConnection),
    sample: options.sample,
    observe: options.observe,
    watches: options.watches,
    keyLimits: options.keyLimits,
    failed: options.failed,
    service,
    pages,
  };
  return {
    config: service.config,
    clientKeys: service.clientKeys ?? [],
    upstreamKeys: [...service.keys.values()],
    unwatched: options.unwatched,
    failed: options.failed,
    health: () => liveness(service),
    respond: (request, arrival) => respond(request, arrival, parts),
  };
}

function ownTexts(): Texts {
  return new MemoryTexts(() => performance.now());
}

interface ServerParts extends ServerContext {
  readonly texts: Texts;
  readonly health: UpstreamHealth;
  readonly pages: ServerOptions["pages"] | undefined;
  readonly keyLimits: KeyLimits | undefined;
}

async function respond(request: Request, arrival: Arrival, parts: ServerParts): Promise<Response> {
  const { service, keyLimits } = parts;
  const { remote, admission, signal, closed, line } = arrival;
  const route = findRoute(request);
  // Dragoman's own pages have their own admission rules.
  if (route.kind === "page" && parts.pages !== undefined) return await parts.pages(request, remote);
  const isApi = route.kind === "chat" || route.kind === "wire" || route.kind === "pass";
  const loaded = isApi ? refuseDestination(request.headers) : undefined;
  if (loaded !== undefined) return refuse(loaded, route);
  const shown = refuseKeyInUrl(new URL(request.url), admission.clientKeys);
  if (shown !== undefined) return refuse(shown, route);
  const admitted = admit(request.headers, admission);
  const { refused, key: secret, requester } = admitted;
  const key = secret === undefined ? undefined : service.keyNames?.get(secret);
  Object.assign(line, { wire: wireOf(route), key });
  if (route.kind === "ready") return await readiness(parts, { isKnown: refused === undefined });
  if (refused !== undefined) return refuse(refused, route);
  const owner = ownerOf(admitted, key);
  const kept = {
    items: new ItemMemory(parts.texts, requester),
    thoughts: new ThoughtMemory(parts.texts, requester),
  };
  const context = { ...parts, ...kept, signal, line, key, owner };
  try {
    const limits = limitsOf(service);
    // Reading, such as a list of models, is free.
    if (keyLimits === undefined || limits === undefined || request.method !== "POST") {
      return await answer(request, route, context);
    }
    const entry = await keyLimits.enter({ key: secret, name: key, limits });
    if (isError(entry)) return refuseLimited(entry, route);
    const watches = [...context.watches ?? [], entry.watch];
    const areTokensCounted = (limits.tokens ?? limits.day_tokens) !== undefined;
    const stateTokens = areTokensCounted ? (tokens: number) => entry.state(tokens) : undefined;
    const counted = areTokensCounted ? countRequest(request, entry, service) : request;
    const limited = { ...context, watches, stateTokens };
    return await countAnswer(entry, answer(counted, route, limited), closed);
  } catch (cause) {
    parts.failed?.(cause);
    return refuse(internalError(cause), route);
  }
}

/** The same request; the entry gets the bytes of its body as they are read. */
function countRequest(request: Request, entry: KeyEntry, { config }: Service): Request {
  if (request.body === null) return request;
  const body = countedBody(request.body, {
    codings: codingsOf(request.headers),
    bytesMax: config.limits.request_bytes_max,
    count: (bytes) => void (entry.bytes = bytes),
  });
  const { method, headers } = request;
  return new Request(request.url, { method, headers, body });
}

/** Counts what an answer used once the client has all of it or has left. */
async function countAnswer(
  entry: KeyEntry,
  answering: Promise<Response>,
  closed: Arrival["closed"],
): Promise<Response> {
  closed?.((sent) => entry.leave(sent));
  try {
    const response = await answering;
    entry.areEvents = isEvents(response.headers);
    return response;
  } finally {
    // Without a connection, nothing reports the end of the answer.
    if (closed === undefined) entry.leave(0);
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

async function answer(
  request: Request,
  route: Route,
  context: Omit<RequestContext, "route">,
): Promise<Response> {
  switch (route.kind) {
    case "chat":
      return await proxyChat(request, { ...context, route });
    case "wire":
      return await answerWire(request, { ...context, route: { ...route, kind: "chat", rest: "" } }, route);
    case "pass":
      return correctBase(request.url) === undefined
        ? await passThrough(request, { ...context, route })
        : errorResponse(notFound(request));
    case "page":
    case "ready":
    case "unknown":
      return errorResponse(notFound(request));
  }
}

/** The error for an unknown path, with the right base URL if the path shows it. */
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

/** Whether an upstream answered lately: 200 or 503; without a key, only the status. The sample model always answers. */
async function readiness(
  { service, health }: ServerParts,
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
