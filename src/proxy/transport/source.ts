/** Reads a body one piece at a time. @module */
import { type BodyFlow, type BodySink, bytesOf, type Piece } from "./push_body.ts";
import { openFlow } from "./pump.ts";

/** Returns the next bytes, undefined at the end. Rejects if the body breaks. The bytes are valid until the next call. */
export interface Source {
  read(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
}

export function openSource(body: ReadableStream<Uint8Array>): Source {
  return new FlowSource(body);
}

class FlowSource implements Source, BodySink {
  readonly #flow: BodyFlow;
  #read: PromiseWithResolvers<Uint8Array | undefined> | undefined;
  /** What every read gives after the last bytes. */
  #last: Promise<undefined> | undefined;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#flow = openFlow(body, this);
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.#last !== undefined) return this.#last;
    this.#read = Promise.withResolvers();
    const { promise } = this.#read;
    this.#flow.resume();
    return promise;
  }

  cancel(): Promise<void> {
    this.end();
    this.#flow.cancel();
    return Promise.resolve();
  }

  push(piece: Piece): boolean {
    this.#read?.resolve(bytesOf(piece));
    return false;
  }

  end(): void {
    this.#last ??= Promise.resolve(undefined);
    this.#read?.resolve(undefined);
  }

  fail(cause: unknown): void {
    this.#last ??= Promise.reject(cause);
    // An abandoned body must not end the process.
    this.#last.catch(() => {});
    this.#read?.reject(cause);
  }
}
