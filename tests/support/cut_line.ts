/**
 * A model server that dies: a line to a real one, which can be cut.
 *
 * @module
 */

/**
 * Passes on bytes until it is cut: then open connections break, and new ones are refused. An open connection keeps the port,
 * so that no other server can take it.
 */
export class CutLine implements AsyncDisposable {
  /** The base URL of the server through this line. */
  readonly url: string;
  readonly #listener: Deno.TcpListener;
  readonly #kept: readonly Deno.TcpConn[];
  readonly #open = new Set<Deno.TcpConn>();
  readonly #pipes = new Set<Promise<unknown>>();

  private constructor(listener: Deno.TcpListener, kept: readonly Deno.TcpConn[], to: URL) {
    this.#listener = listener;
    this.#kept = kept;
    this.url = `http://127.0.0.1:${listener.addr.port}${to.pathname}`;
    this.#start(this.#accept({ hostname: to.hostname, port: Number(to.port) }));
  }

  /** Opens a line to the server at a base URL. */
  static async open(url: string): Promise<CutLine> {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    const kept = await Promise.all([Deno.connect({ hostname: "127.0.0.1", port }), listener.accept()]);
    return new CutLine(listener, kept, new URL(url));
  }

  async #accept(to: Deno.ConnectOptions): Promise<void> {
    for await (const here of this.#listener) {
      this.#open.add(here);
      const there = await Deno.connect(to);
      this.#open.add(there);
      this.#start(here.readable.pipeTo(there.writable));
      this.#start(there.readable.pipeTo(here.writable));
    }
  }

  /** A side that breaks, breaks both. */
  #start(pipe: Promise<unknown>): void {
    this.#pipes.add(pipe.catch(() => {}));
  }

  cut(): void {
    this.#listener.close();
    for (const connection of this.#open) {
      try {
        connection.close();
      } catch {
        // It is closed.
      }
    }
    this.#open.clear();
  }

  async [Symbol.asyncDispose]() {
    if (this.#open.size > 0) this.cut();
    await Promise.all(this.#pipes);
    for (const connection of this.#kept) connection.close();
  }
}
