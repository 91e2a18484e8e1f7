/** Listens, refuses web pages and unknown clients, answers `/health`, drains. It loads nothing else, to open at once. @module */
import type { Config } from "../config/schema.ts";
import {
  type Admission,
  admit,
  answerPreflight,
  corsHeaders,
  refuseSource,
  withoutKeys,
} from "./admission.ts";
import { endingsOf } from "./ending.ts";
import { makeInert } from "../transport/headers.ts";
import type { ConnectionCopies } from "../transport/socket_copy.ts";
import { type Caller, FIRST_REQUEST_MS, listen, type Listener } from "../transport/listen.ts";
import {
  codeOf,
  errorResponse,
  internalError,
  jsonResponse,
  unreadableRequest,
} from "../transport/respond.ts";
import type { RequestLine, UnwatchedRequest } from "../exchange/watch.ts";

/** Answers the requests that it lets in. */
export interface RequestHandler {
  readonly config: Config;
  readonly clientKeys?: readonly string[];
  readonly upstreamKeys?: readonly string[];
  /** Receives each request that no watch receives, except health checks and pages. */
  readonly unwatched?: ((request: UnwatchedRequest) => void) | undefined;
  /** Receives the cause of each of our own answers with status 500. */
  readonly failed?: ((cause: unknown) => void) | undefined;
  /** The body of `/health` for an admitted client. */
  health(): unknown;
  respond(request: Request, arrival: Arrival): Promise<Response>;
}

export interface Arrival {
  readonly admission: Admission;
  readonly remote: string | undefined;
  /** Aborts when the caller leaves or the server stops. */
  readonly signal: AbortSignal;
  /** Registers a callback for the end of the connection; it gets the number of bytes sent. */
  readonly closed?: Caller["closed"] | undefined;
  /** What later steps learn about the request, for its line in the log. */
  readonly line: RequestLine;
}

export interface StartProblem {
  readonly message: string;
  readonly help: string;
}

export interface Started {
  readonly url: string;
  /** A copy of the socket, if it is a new one, other threads listen, too, and it can be copied. */
  readonly socket?: number | undefined;
}

export interface Gateway {
  /**
   * Listens at the configured address, or on a copy of a socket that is bound to it. Returns the base URL, or the reason why
   * it can't. Each further call listens on one more.
   */
  start(socket?: number): Promise<Started | { readonly problem: StartProblem }>;
  /** Answers one request, listening or not. Never rejects. */
  handle(request: Request, caller?: Caller): Promise<Response>;
  /** Stops taking requests and waits for running ones; after the timeout, those end with an error. */
  drain(timeoutMs: number, options?: DrainOptions): Promise<void>;
}

export interface DrainOptions {
  /**
   * Waits while `/health/ready` answers 503 and requests are still taken, so that a balancer sends new ones elsewhere.
   * `isAsked`: whether anything has asked `/health/ready`; if not, waiting is pointless.
   */
  readonly notice?: (isAsked: boolean) => Promise<void>;
}

/** How long callers may take to read the error that ends their answer when the server stops, in milliseconds. */
export const FAREWELL_MS = 2000;

/** A gateway that isn't open; its address comes from the first handler. `copies`: threads that take each connection. */
export function createGateway(
  handler: () => RequestHandler,
  { copies }: { readonly copies?: ConnectionCopies } = {},
): Gateway {
  const listeners: Listener[] = [];
  let hostname: string | undefined;
  let isDraining = false;
  /** Whether something, such as a balancer, has asked `/health/ready`. */
  let isReadinessAsked = false;
  const handle = async (request: Request, caller?: Caller): Promise<Response> => {
    const inside = handler();
    const { listen } = inside.config;
    const admission = {
      listen,
      clientKeys: inside.clientKeys ?? [],
      hostname: hostname ?? listen.hostname,
    };
    const beganAt = Date.now();
    const began = performance.now();
    const line: RequestLine = { isWatched: false };
    const report = (response: Response) => {
      const { isWatched, ...who } = line;
      if (isWatched) return;
      const { method, url } = request;
      const path = withoutKeys(new URL(url).pathname, [
        ...admission.clientKeys,
        ...inside.upstreamKeys ?? [],
      ]);
      const { status } = response;
      if (isOwn(request, { path, status })) return;
      const durationMs = performance.now() - began;
      handler().unwatched?.({ beganAt, method, path, ...who, status, error: codeOf(response), durationMs });
    };
    try {
      const { remote, signal = request.signal, closed } = caller ?? {};
      const endings = caller?.ends && endingsOf(request);
      if (endings !== undefined) caller?.ends?.(endings.first);
      const arrival = { admission, remote, signal, closed, line };
      const asksReadiness = isProbe(request, READY);
      isReadinessAsked ||= asksReadiness;
      const answered = asksReadiness && isDraining
        ? jsonResponse({ status: "draining" }, 503)
        : await answer(request, arrival, inside);
      makeInert(answered.headers);
      for (const [name, value] of corsHeaders(request.headers, admission)) answered.headers.set(name, value);
      // By default, nginx buffers a stream before it forwards it.
      if (isStream(answered.headers)) answered.headers.set("x-accel-buffering", "no");
      report(answered);
      if (endings !== undefined) caller?.ends?.(endings.after(answered));
      return answered;
    } catch (cause) {
      handler().failed?.(cause);
      const response = errorResponse(internalError(cause));
      makeInert(response.headers);
      report(response);
      return response;
    }
  };
  const refuse = (status: 400 | 408 | 431): Response => {
    const error = unreadableRequest(status);
    const about = { beganAt: Date.now(), method: "", path: "", durationMs: 0 };
    handler().unwatched?.({ ...about, status, error: error.code });
    return errorResponse(error);
  };
  return {
    handle,
    async start(socket) {
      const { listen: { hostname: address, port }, limits } = handler().config;
      hostname = address;
      try {
        const isShared = copies !== undefined;
        const listener = await listen({
          hostname,
          port,
          isShared,
          socket,
          copies,
          headersTimeoutMs: limits.headers_timeout_ms,
          requestTimeoutMs: limits.request_timeout_ms,
          handle,
          refuse,
        });
        listeners.push(listener);
        const url = `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${listener.port}`;
        return { url, socket: isShared && socket === undefined ? listener.copy() : undefined };
      } catch (cause) {
        return { problem: startProblem(cause, { hostname, port }) };
      }
    },
    async drain(timeoutMs, { notice } = {}) {
      const open = listeners.splice(0);
      if (open.length === 0) return;
      isDraining = true;
      for (const listener of open) listener.retire();
      await notice?.(isReadinessAsked);
      const all = (act: "stop" | "cut") => open.forEach((listener) => listener[act]());
      const timers = [setTimeout(all, timeoutMs, "stop"), setTimeout(all, timeoutMs + FAREWELL_MS, "cut")];
      await Promise.all(open.map(({ close }) => close(Math.min(timeoutMs, FIRST_REQUEST_MS))));
      timers.forEach(clearTimeout);
    },
  };
}

async function answer(request: Request, arrival: Arrival, handler: RequestHandler): Promise<Response> {
  const { headers, method } = request;
  const { admission } = arrival;
  const url = new URL(request.url);
  const refused = refuseSource(url, headers, admission);
  if (refused !== undefined) return errorResponse(refused);
  if (method === "OPTIONS") return answerPreflight(headers, admission);
  if (!isProbe(request, LIVE)) return await handler.respond(request, arrival);
  // Probes need no key; without one, they get only the status.
  return jsonResponse(admit(headers, admission).refused ? { status: "ok" } : handler.health());
}

/** Asks whether the server runs. */
const LIVE = /^\/health(?:\/live)?\/?$/;

/** Asks whether the server should get requests. */
const READY = /^\/health\/ready\/?$/;

function isProbe({ method, url }: Request, path: RegExp): boolean {
  return (method === "GET" || method === "HEAD") && path.test(new URL(url).pathname);
}

/** Whether an answer arrives piece by piece: as events, or as Ollama's lines of JSON. */
function isStream(headers: Headers): boolean {
  return /^(?:text\/event-stream|application\/x-ndjson)/i.test(headers.get("content-type") ?? "");
}

/** Whether a request was a health check, got our own page, or came from it before someone signs in, without a key. */
function isOwn(
  { method, headers }: Request,
  { path, status }: { readonly path: string; readonly status: number },
): boolean {
  if (/^\/health(?:\/|$)/.test(path)) return true;
  if (status < 400) return /^\/(?:metrics|_dragoman)(?:\/|$)/.test(path);
  return status === 401 && method === "GET" && path.startsWith("/_dragoman/") &&
    !headers.has("authorization");
}

export function takenAddress({ hostname, port }: Pick<Config["listen"], "hostname" | "port">): StartProblem {
  return {
    message: `Cannot listen on ${hostname}:${port}: another program, perhaps another Dragoman, already does`,
    help: `Stop it, or choose another port: \`--port ${port + 1}\`, or \`listen.port\` in dragoman.yaml`,
  };
}

function startProblem(
  cause: unknown,
  { hostname, port }: { readonly hostname: string; readonly port: number },
): StartProblem {
  const at = `${hostname}:${port}`;
  const code = cause instanceof Error ? Reflect.get(cause, "code") : undefined;
  if (code === "EADDRINUSE") return takenAddress({ hostname, port });
  if (code === "EACCES") {
    return {
      message: `Cannot listen on ${at}: the system does not allow it`,
      help: "Choose a port above 1023: `--port 8787`, or `listen.port` in dragoman.yaml",
    };
  }
  if (cause instanceof Deno.errors.NotCapable) {
    return {
      message: `Cannot listen on ${at}: Deno does not allow it`,
      help: "Start Deno with --allow-net, or with `deno task start`",
    };
  }
  return {
    message: `Cannot listen on ${at}: ${cause instanceof Error ? cause.message : String(cause)}`,
    help:
      "Check `listen.hostname`: it must be an address of this machine. Use 127.0.0.1 to accept only local connections",
  };
}
