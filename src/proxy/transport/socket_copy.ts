/**
 * Copies of sockets for another thread: one that hangs can't accept the connections of its port, and can't end its answers.
 * All copies are one socket, which closes with the last of them. A copy travels as its number.
 *
 *     worker ── copy ──▶ main thread ── copy of the port ─▶ another worker, which accepts what waits there
 *                            ╰─ copy of a connection: the answer ends with an error
 *
 * @module
 */
import { Socket } from "node:net";

/** What another thread needs to end the connections of this one. */
export interface ConnectionCopies {
  /** Takes a copy of a new connection. */
  opened(id: number, copy: number): void;
  /** Takes what ends the answer that runs on a connection, as bytes of HTTP; empty if none runs. */
  ends(id: number, text: string): void;
  /** Our own copy is closed. */
  closed(id: number): void;
}

/** A copy of the socket of a server or a connection, as Node passes it to other processes; undefined if it can't be copied. */
export function copySocket(holder: object): number | undefined {
  const handle: unknown = Reflect.get(holder, "_handle");
  if (typeof handle !== "object" || handle === null) return undefined;
  const copy: unknown = Reflect.get(handle, "fdForIpc");
  const number: unknown = typeof copy === "function" ? Reflect.apply(copy, handle, []) : undefined;
  return typeof number === "number" && number >= 0 ? number : undefined;
}

/** The socket of a copy, which isn't read here. `destroy` closes the copy. */
export function takeCopy(copy: number): Socket {
  const socket = new Socket({ fd: copy, readable: false, writable: true });
  // The other end may be gone.
  socket.on("error", () => {});
  return socket;
}
