/**
 * A lock on an address. Workers share a port (`SO_REUSEPORT`), so the system lets another server of the same user join them,
 * and half of its requests would reach the other one. The UDP port of the same address and number has one owner, and no
 * one needs it: who has it may open the TCP port.
 *
 * @module
 */
import { createSocket } from "node:dgram";

/** An address that no other server with workers opens. */
export interface PortLock {
  /** The port, chosen by the system where 0 was asked for. */
  readonly port: number;
  /** Lets others have it. */
  release(): void;
}

/**
 * Locks an address; undefined if another one has it. Where the system has no such address, listening fails later with the
 * reason.
 */
export function lockPort(hostname: string, port: number): Promise<PortLock | undefined> {
  const socket = createSocket(hostname.includes(":") ? "udp6" : "udp4");
  return new Promise((resolve) => {
    socket.once("error", (cause: Error & { code?: string }) => {
      socket.close();
      resolve(cause.code === "EADDRINUSE" ? undefined : { port, release() {} });
    });
    socket.bind({ address: hostname, port, exclusive: true }, () => {
      // What someone sends here is dropped.
      socket.unref();
      resolve({ port: socket.address().port, release: () => void socket.close() });
    });
  });
}
