/** The connections of a worker, as the main thread has them: copies, to end them if the worker can't. @module */
import { type ConnectionCopies, takeCopy } from "../../proxy/transport/socket_copy.ts";

interface Connection {
  readonly copy: number;
  /** What ends the answer that runs on it; empty if none runs. */
  end: string;
}

export class WorkerConnections implements ConnectionCopies {
  readonly #open = new Map<number, Connection>();

  opened(id: number, copy: number): void {
    this.#open.set(id, { copy, end: "" });
  }

  ends(id: number, text: string): void {
    const connection = this.#open.get(id);
    if (connection !== undefined) connection.end = text;
  }

  closed(id: number): void {
    const connection = this.#open.get(id);
    this.#open.delete(id);
    if (connection !== undefined) takeCopy(connection.copy).destroy();
  }

  /** Ends every connection, with an error where an answer runs. */
  endAll(): void {
    for (const { copy, end } of this.#open.values()) takeCopy(copy).end(end, "utf8");
    this.#open.clear();
  }
}
