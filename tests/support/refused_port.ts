/**
 * A server that is down.
 *
 * @module
 */

/**
 * A port that refuses connections until this is closed. An open connection has the port at its own end, so no server can
 * take it meanwhile, as it could take a port that is only free.
 */
export class RefusedPort implements Disposable {
  readonly port: number;
  readonly #ends: readonly Disposable[];

  private constructor(ends: readonly [Deno.TcpConn, Deno.TcpConn]) {
    this.#ends = ends;
    this.port = ends[0].localAddr.port;
  }

  /** Opens the connection that keeps the port. */
  static async open(): Promise<RefusedPort> {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    return new RefusedPort(
      await Promise.all([
        Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port }),
        listener.accept(),
      ]),
    );
  }

  [Symbol.dispose]() {
    for (const end of this.#ends) end[Symbol.dispose]();
  }
}
