/**
 * Sends a web response through node's server: the head, then the body as fast as the caller takes it.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";

/**
 * Sends a response. Resolves when it is over: sent, broken off because its body failed, or left by the caller, in
 * which case the body is canceled.
 *
 * @param response the response; a body that fails breaks the connection, so that no one takes half of it for a whole
 * @param outgoing where it goes
 */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const { status, statusText, headers, body } = response;
  // A flat list, since one name may come several times.
  const list: string[] = [];
  headers.forEach((value, name) => list.push(name, value));
  if (outgoing.destroyed) return await body?.cancel();
  outgoing.writeHead(status, statusText, list);
  if (body === null || outgoing.req.method === "HEAD") {
    outgoing.end();
    return await body?.cancel();
  }
  outgoing.flushHeaders();
  const reader = body.getReader();
  // No one reads on when the caller leaves, even while the next piece is waited for.
  outgoing.once("close", () => void reader.cancel().catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!write(outgoing, value)) await drained(outgoing);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

/**
 * Writes one piece; false: wait before the next.
 *
 * A chunk is framed here and written as one Latin-1 string, which keeps every byte: node's own framing writes four
 * pieces for each chunk and costs twice the time, and events are small and many.
 */
function write(outgoing: ServerResponse, bytes: Uint8Array): boolean {
  if (bytes.length === 0) return true;
  const { socket } = outgoing;
  if (!outgoing.chunkedEncoding || socket === null) return outgoing.write(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return socket.write(`${bytes.length.toString(16)}\r\n${text}\r\n`, "latin1");
}

/** Resolves when more can be written, or nothing ever can. */
function drained(outgoing: ServerResponse): Promise<void> {
  const { socket } = outgoing;
  if (socket === null || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = () => {
      socket.off("drain", settle);
      outgoing.off("close", settle);
      resolve();
    };
    socket.once("drain", settle);
    outgoing.once("close", settle);
  });
}
