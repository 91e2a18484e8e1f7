/**
 * The server: sends each request that the door lets in to the handler of its path. What it works with can be swapped
 * while it runs.
 *
 * @module
 */
import { refuseClient } from "./admission.ts";
import { createDoor, type Door, type RequestContext, type RequestHandler } from "./door.ts";
import { findRoute, ROUTES } from "./route.ts";
import { answerWire } from "./wire.ts";
import { passThrough, proxyChat, type ProxyContext } from "./proxy.ts";
import { errorResponse, jsonResponse } from "./respond.ts";
import type { Service } from "./service.ts";
import { SAMPLE_UPSTREAM } from "./upstream.ts";
import { createUpstreamHealth, type UpstreamHealth } from "./upstream_health.ts";

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
  /** Gets each request that no watch gets. */
  readonly unwatched?: RequestHandler["unwatched"];
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
  const { health = createUpstreamHealth() } = options;
  let handler = createHandler({ ...options, health });
  return {
    ...createDoor(() => handler),
    swap(service) {
      handler = createHandler({ ...options, health, service });
    },
  };
}

/** What answers the requests that come through a door. */
export function createHandler({ service, isBehindProxy, pages, ...options }: ServerOptions): RequestHandler {
  const { health = createUpstreamHealth() } = options;
  const around = {
    health,
    seeUpstream: (name: string, answers: boolean) => health.see(name, answers),
    newId: options.newId ?? newCallId,
    connect: options.connect ?? (isBehindProxy ? undefined : tryConnection),
    sample: options.sample,
    observe: options.observe,
    watches: options.watches,
    keepAliveMs: options.keepAliveMs,
    service,
    pages,
  };
  return {
    config: service.config,
    clientKeys: service.clientKeys ?? [],
    unwatched: options.unwatched,
    health: () => liveness(service),
    respond: (request, { admission, remote, signal, watched }) =>
      respond(request, { ...around, admission, remote, signal, watched }),
  };
}

interface Around extends Omit<ProxyContext, "route" | "watched">, RequestContext {
  readonly health: UpstreamHealth;
  readonly pages: ServerOptions["pages"] | undefined;
}

async function respond(request: Request, around: Around): Promise<Response> {
  const route = findRoute(request);
  // The pages about us have rules of their own.
  if (route.kind === "page" && around.pages !== undefined) return await around.pages(request, around.remote);
  const refused = refuseClient(request.headers, around.admission);
  if (route.kind === "ready") return await readiness(around, { isKnown: refused === undefined });
  if (refused !== undefined) return errorResponse(refused);
  switch (route.kind) {
    case "chat":
      return await proxyChat(request, { ...around, route });
    case "wire":
      return await answerWire(request, { ...around, route: { ...route, kind: "chat", rest: "" } }, route);
    case "pass":
      return await passThrough(request, { ...around, route });
    case "page":
    case "unknown":
      return errorResponse({
        status: 404,
        type: "invalid_request_error",
        code: "not_found",
        message:
          `Nothing is served at ${request.method} ${new URL(request.url).pathname}. Expected one of: ` +
          `${ROUTES.join("; ")}. A client's base URL ends in /v1`,
      });
  }
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
