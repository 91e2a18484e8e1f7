/**
 * Sends a web response through node's server: the head, then the body as fast as the caller takes it. A body that isn't
 * as long as the head states breaks the connection: what is too much would be read as the next response.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import { openFlow } from "./pump.ts";

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
  // Node checks the phrase and throws; clients read the number.
  outgoing.writeHead(status, /^[\t\x20-\x7e]*$/.test(statusText) ? statusText : "", list);
  if (body === null || outgoing.req.method === "HEAD") {
    outgoing.end();
    return await body?.cancel();
  }
  outgoing.flushHeaders();
  const length = headers.get("content-length");
  await sendBody(body, { outgoing, length: length === null ? undefined : Number(length) });
}

/** Where a body goes, and how long the head states that it is. */
interface Target {
  readonly outgoing: ServerResponse;
  readonly length: number | undefined;
}

function sendBody(body: ReadableStream<Uint8Array>, { outgoing, length }: Target): Promise<void> {
  return new Promise((resolve) => {
    let sent = 0;
    const fail = () => {
      outgoing.destroy();
      resolve();
    };
    const flow = openFlow(body, {
      push(bytes) {
        sent += bytes.length;
        if (length === undefined || sent <= length) return write(outgoing, bytes) || resumeLater();
        fail();
        return false;
      },
      end() {
        if (length !== undefined && sent < length) return fail();
        outgoing.end();
        resolve();
      },
      fail,
    });
    const resumeLater = () => {
      outgoing.socket?.once("drain", () => flow.resume());
      return false;
    };
    // No one reads on when the caller leaves, even while the next piece is waited for.
    outgoing.once("close", () => {
      flow.cancel();
      resolve();
    });
    flow.resume();
  });
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
