/** Recognizes addresses that only this machine can reach. @module */

/** Whether a name or an address, without brackets and port, is this machine for its user. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" ||
    /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(name);
}
