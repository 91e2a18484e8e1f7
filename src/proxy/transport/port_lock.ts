/**
 * A lock on an address. Workers share a port (`SO_REUSEPORT`), so another server of the same user could open it, too, and
 * get half of the requests. The UDP port of the same number has only one owner and isn't used otherwise: its owner may
 * open the TCP port.
 *
 * @module
 */
import { createSocket } from "node:dgram";

export interface PortLock {
  /** The port; the system chose it if 0 was requested. */
  readonly port: number;
  release(): void;
}

/** Locks an address; undefined if another server has it. If the address doesn't exist, listening fails later with the reason. */
export function lockPort(hostname: string, port: number): Promise<PortLock | undefined> {
  const socket = createSocket(hostname.includes(":") ? "udp6" : "udp4");
  return new Promise((resolve) => {
    socket.once("error", (cause: Error & { code?: string }) => {
      socket.close();
      resolve(cause.code === "EADDRINUSE" ? undefined : { port, release() {} });
    });
    socket.bind({ address: hostname, port, exclusive: true }, () => {
      // Whatever arrives here is dropped.
      socket.unref();
      resolve({ port: socket.address().port, release: () => void socket.close() });
    });
  });
}
