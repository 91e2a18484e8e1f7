/**
 * Listens for HTTP/1.1 and answers with web responses: a Node request becomes a `Request`, `send.ts` sends the
 * `Response`, and a caller that leaves aborts the request's signal.
 *
 * Why not `Deno.serve`: until a response begins, Deno 2.9 notices a caller that leaves only if the first read contained
 * the whole request. For a body over about 500 bytes, which every agent sends, it doesn't, and the model continues to
 * process a prompt that no one waits for. The cause is in the HTTP/1.1 path of denoland/deno#34446; #36657 reports its
 * other effect, a connection that is closed after every such request. `node:http` has neither problem, and has time
 * limits for slow requests.
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { present } from "../../engine/object/present.ts";
import { send } from "./send.ts";
import { type ConnectionCopies, copySocket } from "./socket_copy.ts";

export interface Caller {
  readonly remote: string | undefined;
  /** Registers a callback for the end of the connection; it gets the number of bytes sent. */
  readonly closed: (callback: (bytes: number) => void) => void;
  /**
   * Takes what another thread answers if this one hangs: an answer before the head is sent, and the end of a stream after
   * it. Empty if nothing can be added to what the caller gets.
   */
  readonly ends?: (answer: Ending) => void;
  /** Aborts when the caller leaves, with `CALLER_LEFT`, or when the listener stops, with `SERVER_STOPPED`. */
  readonly signal: AbortSignal;
}

/** The reason of a signal that aborts because the caller left. */
export const CALLER_LEFT = "caller_left";

/** The reason of a signal that aborts because the server stops. */
export const SERVER_STOPPED = "server_stopped";

/** The end of an answer whose thread hangs. */
export type Ending = { readonly response: string } | { readonly stream: string };

interface ListenOptions {
  /** The address; an IPv6 address has no brackets. */
  readonly hostname: string;
  /** The port; 0 lets the system choose one. */
  readonly port: number;
  /** Whether other threads of this program listen there, too; the system distributes the connections. */
  readonly isShared?: boolean | undefined;
  /** A copy of a socket that is bound to the address, to listen on instead of a new one. */
  readonly socket?: number | undefined;
  /** Takes a copy of every connection. */
  readonly copies?: ConnectionCopies | undefined;
  readonly headersTimeoutMs: number;
  /** How long a whole request may take, its body included, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Answers one request. If it rejects, the connection breaks. */
  readonly handle: (request: Request, caller: Caller) => Promise<Response>;
  /** The response to bytes that aren't a request, or arrive too slowly. */
  readonly refuse: (status: 400 | 408 | 431) => Response;
}

export interface Listener {
  /** The port; the system chose it if 0 was requested. */
  readonly port: number;
  /** A copy of the socket that listens; undefined if it can't be copied. */
  copy(): number | undefined;
  /** From now on, every answer asks its caller to close the connection. */
  retire(): void;
  /** Takes no more connections, and waits for the running requests; `firstRequestMs`: for a new connection's request. */
  close(firstRequestMs?: number): Promise<void>;
  /** Aborts the signals of the running requests with `SERVER_STOPPED`. */
  stop(): void;
  /** Closes every connection now. */
  cut(): void;
}

/** A connection without a request is closed after this time, so that connections of vanished callers don't accumulate. */
const IDLE_MS = 75_000;

/** How long a new connection may take to send its request when no more connections are taken. */
export const FIRST_REQUEST_MS = 2000;

/** How long a refused caller may take to read the reason, in milliseconds. */
const REFUSED_MS = 2000;

/** A turn of the event loop that takes less has just looked for new connections. */
const SHORT_TURN_MS = 2;

/** After this many longer turns without a new connection, none is waiting; and the most turns to wait. */
const TURNS = { quiet: 2, most: 50 };

/** The longest time between two checks for slow requests. */
const CHECK_MS = 1000;

/** The last connection of this thread that was copied. */
let lastCopied = 0;

/** Rejects if the process has no permission to listen; Node's `listen` throws that where it can't be caught. */
async function mayListen(host: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "net", host });
  if (state !== "granted") {
    throw new Deno.errors.NotCapable(`Requires net access to "${host}", run again with the --allow-net flag`);
  }
}

/** Begins to listen. Rejects if the system refuses the address. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { hostname, port, isShared = false, socket: given, copies, headersTimeoutMs, requestTimeoutMs } =
    options;
  const running = new Map<ServerResponse, AbortController>();
  /** Every open connection, with its running request. Deno 2.9.6 leaves one open that hasn't sent a request yet. */
  const connections = new Map<Socket, ServerResponse | undefined>();
  /** The connections that have not sent a request yet. */
  const fresh = new Set<Socket>();
  /** The connections that another thread has a copy of. */
  const copied = new Map<Socket, number>();
  let isRetiring = false;
  let accepted = 0;
  const settings = {
    noDelay: true,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(CHECK_MS, headersTimeoutMs, requestTimeoutMs),
  };
  const server = createServer(settings, (incoming, outgoing) => {
    const left = new AbortController();
    running.set(outgoing, left);
    connections.set(incoming.socket, outgoing);
    fresh.delete(incoming.socket);
    incoming.socket.setTimeout(0);
    outgoing.once("close", () => {
      running.delete(outgoing);
      if (!outgoing.writableFinished) left.abort(CALLER_LEFT);
      // Its next request can arrive before this answer is over.
      if (connections.get(incoming.socket) !== outgoing) return;
      connections.set(incoming.socket, undefined);
      if (id !== undefined) copies?.ends(id, "");
      if (!server.listening) incoming.socket.destroy();
      else incoming.socket.setTimeout(IDLE_MS);
    });
    const id = copied.get(incoming.socket);
    const ends = id === undefined || copies === undefined
      ? undefined
      : (ending: Ending) => copies.ends(id, bytesOf(ending, incoming.httpVersion));
    const isLast = () => isRetiring;
    answer({ incoming, outgoing, left, options, ends, isLast }).catch(() => outgoing.destroy());
  });
  server.on("connection", (socket: Socket) => {
    accepted++;
    connections.set(socket, undefined);
    fresh.add(socket);
    const copy = copies && copySocket(socket);
    if (copy !== undefined) {
      copied.set(socket, ++lastCopied);
      copies?.opened(lastCopied, copy);
    }
    socket.once("close", () => {
      connections.delete(socket);
      fresh.delete(socket);
      const id = copied.get(socket);
      copied.delete(socket);
      if (id !== undefined) copies?.closed(id);
    });
  });
  server.on("timeout", (socket) => socket.destroy());
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    if (!socket.writable) return void socket.destroy();
    void turnAway(socket, options.refuse(statusOf(error.code)));
  });
  // A tunnel is refused like any other unknown request.
  server.on("connect", (_request, socket) => void turnAway(socket, options.refuse(400)));
  await mayListen(`${hostname}:${port}`);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const place = given === undefined ? { port, host: hostname, reusePort: isShared } : { fd: given };
    server.listen(place, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    copy: () => copySocket(server),
    retire: () => void (isRetiring = true),
    async close(firstRequestMs = FIRST_REQUEST_MS) {
      // A port that no one has used closes at once: the one that tests an address for workers must not answer.
      if (accepted > 0) await untilAccepted(() => accepted);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const [socket, running] of connections) {
        if (running !== undefined) continue;
        // A new connection may have sent its request already, and its caller can't know that no one read it.
        if (fresh.has(socket) && firstRequestMs > 0) socket.setTimeout(firstRequestMs);
        else socket.destroy();
      }
      await closed;
    },
    stop() {
      for (const left of [...running.values()]) left.abort(SERVER_STOPPED);
    },
    cut() {
      // `closeAllConnections` of Deno 2.9.6 leaves connections open that haven't sent a whole request.
      for (const socket of [...connections.keys()]) socket.destroy();
    },
  };
}

/**
 * Waits until every connection in the system's queue is accepted. When the port closes, the system resets the others, and
 * a balancer that sent a request on one can't know that no one read it.
 */
async function untilAccepted(count: () => number): Promise<void> {
  for (let turns = 0, quiet = 0; quiet < TURNS.quiet && turns < TURNS.most; turns++) {
    const before = count();
    const began = performance.now();
    // Unlike `setImmediate`, a timer lets Deno 2.9.6 look for connections.
    await new Promise((resolve) => setTimeout(resolve, 1));
    quiet = count() === before ? quiet + 1 : 0;
    if (quiet > 0 && performance.now() - began < SHORT_TURN_MS) return;
  }
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly left: AbortController;
  readonly options: ListenOptions;
  readonly ends: Caller["ends"];
  readonly isLast: () => boolean;
}

async function answer({ incoming, outgoing, left, options, ends, isLast }: Exchange): Promise<void> {
  const body = bodyOf(incoming);
  const request = toRequest(incoming, body?.stream ?? null);
  const { socket } = incoming;
  const { remoteAddress, bytesWritten } = socket;
  const closed: Caller["closed"] = (callback) => {
    const end = () => callback(socket.bytesWritten - bytesWritten);
    if (left.signal.aborted) end();
    else outgoing.once("close", end);
  };
  const caller = { remote: remoteAddress, signal: left.signal, closed, ...present({ ends }) };
  const response = request === undefined ? options.refuse(400) : await options.handle(request, caller);
  // Node reads no more from a connection that asked for another protocol.
  if (isLast() || incoming.headers.upgrade !== undefined) {
    // The header Upgrade belongs to the connection, so Connection lists it (RFC 9110, section 7.8).
    response.headers.set("connection", response.headers.has("upgrade") ? "upgrade, close" : "close");
  }
  await send(response, outgoing);
  // The unread rest of a body would be taken for the next request.
  if (body === undefined) incoming.resume();
  else body.drop();
}

/** The bytes that end an answer: a whole one, or the last piece of a stream. */
function bytesOf(ending: Ending, httpVersion: string): string {
  if ("response" in ending) {
    const length = new TextEncoder().encode(ending.response).length;
    return "HTTP/1.1 500 Internal Server Error\r\ncontent-type: application/json\r\n" +
      `x-should-retry: false\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${ending.response}`;
  }
  const { stream } = ending;
  if (stream === "" || httpVersion === "1.0") return stream;
  return `${new TextEncoder().encode(stream).length.toString(16)}\r\n${stream}\r\n0\r\n\r\n`;
}

/** The request as a web `Request`; undefined if its target, host or method isn't valid. */
function toRequest(incoming: IncomingMessage, body: ReadableStream<Uint8Array> | null): Request | undefined {
  const { method = "GET", url: target = "/", rawHeaders } = incoming;
  const headers = new Headers();
  try {
    for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
    }
    const url = new URL(target.startsWith("/") ? `http://${hostIn(headers)}${target}` : withoutUser(target));
    const takesBody = method !== "GET" && method !== "HEAD";
    return new Request(url, { method, headers, body: takesBody ? body : null });
  } catch {
    return undefined;
  }
}

/** A target that is a URL. Throws if it has a user, even an empty one. */
function withoutUser(target: string): string {
  if (/^[^/]*\/\/[^/?#\\]*@/.test(target)) throw new TypeError(`The target ${target} has a user`);
  return target;
}

/** The host of a request. Throws if it is more than a name and a port, because the rest would be part of the URL. */
function hostIn(headers: Headers): string {
  const host = headers.get("host") ?? "";
  if (!/^[^\s@/?#\\,]+$/.test(host)) throw new TypeError(`The host ${host} isn't one`);
  return host;
}

/** The most bytes of a body that wait for its reader. */
const BODY_BYTES_AHEAD = 256 * 1024;

interface Body {
  /** The body, which is read from the connection only as fast as from this stream. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The rest is read from the connection and dropped. */
  drop(): void;
}

/** The body of a request; undefined if it has none. */
function bodyOf(incoming: IncomingMessage): Body | undefined {
  const { "content-length": length, "transfer-encoding": coding } = incoming.headers;
  if (coding === undefined && (length === undefined || length === "0")) return undefined;
  // To close a stream that is over, or to add to it, would throw and end the process.
  let isOpen = true;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const finish = (end?: () => void) => {
    if (isOpen) end?.();
    isOpen = false;
    incoming.resume();
  };
  const stream = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
      incoming.on("data", (bytes: Uint8Array) => {
        if (!isOpen) return;
        started.enqueue(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
        if ((started.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once("end", () => finish(() => started.close()));
      incoming.on("error", (cause) => finish(() => started.error(cause)));
      incoming.pause();
    },
    pull: () => void incoming.resume(),
    cancel: () => finish(),
  }, { highWaterMark: BODY_BYTES_AHEAD, size: (bytes) => bytes?.byteLength ?? 0 });
  return { stream, drop: () => finish(() => controller?.error(new Error("The answer is over"))) };
}

function statusOf(code: string | undefined): 400 | 408 | 431 {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408;
  return code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
}

const REASONS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/** Answers a caller whose request Node couldn't read, and closes the connection. Node has no response object for it. */
async function turnAway(socket: Duplex, response: Response): Promise<void> {
  // Node leaves the connection to us, and an unhandled error of it would end the process.
  socket.on("error", () => socket.destroy());
  const leaving = setTimeout(() => socket.destroy(), REFUSED_MS);
  socket.once("close", () => clearTimeout(leaving));
  const body = await response.text();
  const length = new TextEncoder().encode(body).length;
  const type = response.headers.get("content-type") ?? "text/plain";
  socket.end(
    `HTTP/1.1 ${response.status} ${REASONS[response.status] ?? ""}\r\ncontent-type: ${type}\r\n` +
      `content-length: ${length}\r\nconnection: close\r\n\r\n${body}`,
  );
}
