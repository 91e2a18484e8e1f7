/**
 * A model server that is nothing but a socket: it waits for a whole request, writes the bytes it was given, and then
 * pauses, ends, or resets the connection. It notices at once when whoever asked has gone, which `Deno.serve`
 * does not for requests with a body.
 *
 * @module
 */
import { createServer, type Socket } from "node:net";

/** A request that has arrived whole. */
export interface RawRequest {
  /** Its head and body as Latin-1. */
  readonly text: string;
  /** Resolves when the connection is over, whoever ended it. */
  readonly gone: Promise<void>;
  /** Writes bytes as Latin-1. */
  write(text: string): void;
  /** Writes the same bytes again and again, as fast as they are taken. */
  pour(text: string): Poured;
  /** Ends the connection with a FIN. */
  end(): void;
  /** Ends the connection with a RST. */
  reset(): void;
}

export interface Poured {
  /** How many have been written so far. */
  readonly bytes: number;
}

/** A server that listens. */
export interface RawUpstream extends AsyncDisposable {
  /** Its base URL, ending in /v1. */
  readonly url: string;
  /** How many requests have arrived. */
  readonly count: number;
  next(): Promise<RawRequest>;
}

/** Starts a server. `answer` may act on each request as it arrives. */
export async function startRawUpstream(
  answer: (request: RawRequest) => void = () => {},
): Promise<RawUpstream> {
  const sockets = new Set<Socket>();
  const waiting: ((request: RawRequest) => void)[] = [];
  const arrived: RawRequest[] = [];
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    const gone = new Promise<void>((resolve) => socket.on("close", () => resolve()));
    gone.then(() => sockets.delete(socket));
    socket.on("error", () => {});
    socket.on("data", (bytes: Uint8Array) => {
      text += new TextDecoder("latin1").decode(bytes);
      if (!isWhole(text)) return;
      const request: RawRequest = {
        text,
        gone,
        write: (text) => void socket.write(text, "latin1"),
        pour: (text) => pour(socket, text),
        end: () => void socket.end(),
        reset: () => void socket.resetAndDestroy(),
      };
      text = "";
      count++;
      answer(request);
      const take = waiting.shift();
      if (take === undefined) arrived.push(request);
      else take(request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    get count() {
      return count;
    },
    next() {
      const request = arrived.shift();
      return request === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(request);
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function pour(socket: Socket, text: string): Poured {
  const poured = { bytes: 0 };
  const write = () => {
    do poured.bytes += text.length; while (socket.write(text, "latin1") && !socket.destroyed);
  };
  socket.on("drain", write);
  write();
  return poured;
}

/** The head of a streamed answer whose connection may break anywhere. */
export const STREAM_HEAD =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

export function chunked(text: string): string {
  return `${new TextEncoder().encode(text).length.toString(16)}\r\n${text}\r\n`;
}

export function textEvent(content: string, more: Record<string, unknown> = {}): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null, ...more }];
  return `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m", choices })}\n\n`;
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const head = text.slice(0, end).toLowerCase();
  const length = /content-length: *(\d+)/.exec(head)?.[1];
  if (length !== undefined) return text.length - end - 4 >= Number(length);
  return !head.includes("transfer-encoding: chunked") || text.endsWith("0\r\n\r\n");
}
