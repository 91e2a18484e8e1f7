/**
 * The server: listens, sends each request to the handler of its path, and stops gracefully. What it works with can be
 * swapped while it runs.
 *
 * @module
 */
import { type Admission, answerPreflight, corsHeaders, refuseClient, refuseSource } from "./admission.ts";
import { findRoute, ROUTES } from "./route.ts";
import { answerWire } from "./wire.ts";
import { passThrough, proxyChat, type ProxyContext } from "./proxy.ts";
import { type Caller, listen, type Listener } from "./listen.ts";
import { errorResponse, jsonResponse, unreadableRequest } from "./respond.ts";
import type { Service } from "./service.ts";
import { SAMPLE_UPSTREAM } from "./upstream.ts";

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
}

/** Why a server cannot start. */
export interface StartProblem {
  /** What happened, and where. */
  readonly message: string;
  /** How to fix it. */
  readonly help: string;
}

/** A server, listening or not yet. */
export interface Server {
  /** Begins to listen at the configured address; gives the base URL, or why it cannot. */
  start(): Promise<{ readonly url: string } | { readonly problem: StartProblem }>;
  /** Swaps what new requests work with; the address it listens on stays. */
  swap(service: Service): void;
  /** Answers one request, listening or not. Never rejects. */
  handle(request: Request, caller?: Caller): Promise<Response>;
  /** Takes no more requests, lets the running ones end, and ends with an error what runs after the time given. */
  drain(timeoutMs: number): Promise<void>;
}

/**
 * A server that is not listening yet.
 *
 * @param options what it is made of
 */
export function createServer(options: ServerOptions): Server {
  let service = options.service;
  let listener: Listener | undefined;
  let hostname: string | undefined;
  const around = {
    sample: options.sample,
    newId: options.newId ?? newCallId,
    connect: options.connect ?? (options.isBehindProxy ? undefined : tryConnection),
    observe: options.observe,
    watches: options.watches,
    keepAliveMs: options.keepAliveMs,
  };
  const handle = async (request: Request, caller?: Caller): Promise<Response> => {
    const { listen } = service.config;
    const clientKeys = service.clientKeys ?? [];
    const admission = { listen, clientKeys, hostname: hostname ?? listen.hostname };
    try {
      const answered = answerAtTheDoor(request, admission) ??
        await respond(request, {
          ...around,
          service,
          admission,
          pages: options.pages,
          remote: caller?.remote,
          signal: caller?.signal ?? request.signal,
        });
      for (const [name, value] of corsHeaders(request.headers, admission)) answered.headers.set(name, value);
      return answered;
    } catch (cause) {
      return failed(cause);
    }
  };
  return {
    handle,
    swap(next) {
      service = next;
    },
    async start() {
      const { port } = service.config.listen;
      hostname = service.config.listen.hostname;
      const { headers_timeout_ms: headersTimeoutMs, request_timeout_ms: requestTimeoutMs } =
        service.config.limits;
      try {
        listener = await listen({
          hostname,
          port,
          headersTimeoutMs,
          requestTimeoutMs,
          handle,
          refuse: (status) => errorResponse(unreadableRequest(status)),
        });
        return { url: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${listener.port}` };
      } catch (cause) {
        return { problem: startProblem(cause, { hostname, port }) };
      }
    },
    async drain(timeoutMs) {
      if (listener === undefined) return;
      const { stop, cut, close } = listener;
      listener = undefined;
      const timers = [setTimeout(stop, timeoutMs), setTimeout(cut, timeoutMs + FAREWELL_MS)];
      await close();
      timers.forEach(clearTimeout);
    },
  };
}

/** How long callers may take to read why their answer ends when the server stops. */
const FAREWELL_MS = 2000;

/** The answer to a request that goes no further: a web page's, or a preflight. */
function answerAtTheDoor(request: Request, admission: Admission): Response | undefined {
  const refused = refuseSource(new URL(request.url), request.headers, admission);
  if (refused !== undefined) return errorResponse(refused);
  return request.method === "OPTIONS" ? answerPreflight(request.headers, admission) : undefined;
}

interface Around extends Omit<ProxyContext, "route"> {
  readonly pages: ServerOptions["pages"] | undefined;
  readonly admission: Admission;
  readonly remote: string | undefined;
}

async function respond(request: Request, around: Around): Promise<Response> {
  const route = findRoute(request);
  // The pages about us have rules of their own.
  if (route.kind === "page" && around.pages !== undefined) return await around.pages(request, around.remote);
  const refused = refuseClient(request.headers, around.admission);
  // A probe needs no key, and gets nothing but a word.
  if (route.kind === "health") return jsonResponse(refused ? { status: "ok" } : health(around.service));
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

function health({ config, clientNames }: Service): unknown {
  const upstreams = config.upstreams.length === 0 ? [SAMPLE_UPSTREAM] : config.upstreams;
  return { status: "ok", upstreams: upstreams.map((upstream) => upstream.name), clients: clientNames };
}

function startProblem(
  cause: unknown,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): StartProblem {
  const at = `${hostname}:${port}`;
  const code = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  if (code === "EADDRINUSE") {
    return {
      message: `Cannot listen on ${at}: another program, perhaps another Dragoman, already does`,
      help: `Stop it, or choose another port: \`--port ${port + 1}\`, or \`listen.port\` in dragoman.yaml`,
    };
  }
  if (code === "EACCES") {
    return {
      message: `Cannot listen on ${at}: the system does not allow it`,
      help: "Choose a port above 1023: `--port 8787`, or `listen.port` in dragoman.yaml",
    };
  }
  return {
    message: `Cannot listen on ${at}: ${cause instanceof Error ? cause.message : String(cause)}`,
    help: "Check `listen.hostname`: it has to be an address of this machine, 127.0.0.1 for this machine only",
  };
}

function failed(cause: unknown): Response {
  return errorResponse({
    status: 500,
    type: "internal_error",
    code: "internal_error",
    message: `Dragoman failed on this request: ${cause instanceof Error ? cause.message : String(cause)}. ` +
      "Please report it with the request",
  });
}

function newCallId(): string {
  return `call_${crypto.randomUUID().replaceAll("-", "")}`;
}

async function tryConnection(url: URL, signal: AbortSignal): Promise<void> {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const connection = await Deno.connect({ hostname: url.hostname.replace(/^\[|\]$/g, ""), port, signal });
  connection.close();
}
