/**
 * A client that speaks HTTP/1.1 byte by byte over a socket, to do what no well-behaved client does: leave, reset,
 * send half a request, or lie about who it is.
 *
 * @module
 */
import { connect, type Socket } from "node:net";

/** A connection to a server. */
export interface RawClient extends Disposable {
  /** Sends bytes as Latin-1. */
  send(text: string): void;
  pause(): void;
  resume(): void;
  /** Everything received, as soon as it matches; rejects if the connection closes first. */
  until(pattern: RegExp): Promise<string>;
  /** Everything received once the server closes the connection. */
  rest(): Promise<string>;
  /** Goes away with a FIN. */
  close(): void;
  /** Goes away with a RST. */
  reset(): void;
}

/** Connects to the origin of a server, as in `http://127.0.0.1:8787`. */
export async function connectRaw(origin: string): Promise<RawClient> {
  const { hostname, port } = new URL(origin);
  const socket: Socket = connect(Number(port), hostname);
  let received = "";
  let isClosed = false;
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((check) => check());
  socket.on("data", (bytes: Uint8Array) => {
    received += new TextDecoder("latin1").decode(bytes);
    look();
  });
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) =>
    socket.on("close", () => {
      isClosed = true;
      look();
      resolve();
    })
  );
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return {
    send: (text) => void socket.write(text, "latin1"),
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!pattern.test(received) && !isClosed) return;
          waiting.delete(check);
          if (pattern.test(received)) resolve(received);
          else reject(new Error(`The connection closed after ${JSON.stringify(received)}`));
        };
        waiting.add(check);
        check();
      }),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    async rest() {
      await closed;
      return received;
    },
    close: () => void socket.destroy(),
    reset: () => void socket.resetAndDestroy(),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** The bytes of a POST with a JSON body. */
export function postText(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const length = new TextEncoder().encode(body).length;
  const all = { host: "127.0.0.1", "content-type": "application/json", "content-length": length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `POST ${path} HTTP/1.1\r\n${lines}\r\n${body}`;
}
