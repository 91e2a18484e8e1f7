/**
 * Sends a web response through Node's server: the head, then the body as fast as the caller reads it. A body of another
 * length than the head states breaks the connection, because its excess would be read as the next response.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import type { Piece } from "./push_body.ts";
import { openFlow } from "./pump.ts";

/**
 * Sends a response. Resolves when it was sent, broke off because its body failed, or was canceled because the caller
 * left.
 *
 * @param response the response; a body that fails breaks the connection, so that a part is never taken for the whole
 */
export async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const { status, statusText, headers, body } = response;
  // A flat list, because a name can repeat.
  const list: string[] = [];
  headers.forEach((value, name) => list.push(name, value));
  if (outgoing.destroyed) return await body?.cancel();
  // Node would throw for an invalid phrase; clients read only the number.
  outgoing.writeHead(status, /^[\t\x20-\x7e]*$/.test(statusText) ? statusText : "", list);
  if (body === null || outgoing.req.method === "HEAD") {
    outgoing.end();
    return await body?.cancel();
  }
  const { socket } = outgoing;
  const length = headers.get("content-length");
  // The head and the bytes that are there already leave in one write.
  socket?.cork();
  outgoing.flushHeaders();
  const sent = sendBody(body, { outgoing, length: length === null ? undefined : Number(length) });
  socket?.uncork();
  await sent;
}

/** Where a body is written, and its length according to the head. */
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
      push(piece) {
        if (length !== undefined) sent += Buffer.byteLength(piece);
        if (length === undefined || sent <= length) return write(outgoing, piece) || resumeLater();
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
    // When the caller leaves, reading stops, even during a wait for the next piece.
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
 * A chunk is framed here and written as one string; of bytes as Latin-1, which keeps every byte. Node's own framing writes
 * four pieces for each chunk and takes twice as long, and events are small and many.
 */
function write(outgoing: ServerResponse, piece: Piece): boolean {
  if (piece.length === 0) return true;
  const { socket } = outgoing;
  if (!outgoing.chunkedEncoding || socket === null) return outgoing.write(piece);
  const isText = typeof piece === "string";
  const text = isText
    ? piece
    : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("latin1");
  return socket.write(
    `${Buffer.byteLength(piece).toString(16)}\r\n${text}\r\n`,
    isText ? "utf8" : "latin1",
  );
}
