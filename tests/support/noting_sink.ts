/**
 * A sink for tests of flows: notes what arrives.
 *
 * @module
 */
import { type BodySink, bytesOf, type Piece } from "../../src/proxy/transport/push_body.ts";

/** Notes each piece as text, then `end` or the failure; wants more while `wants` is true. */
export class NotingSink implements BodySink {
  readonly seen: string[] = [];
  wants = true;
  readonly #first = Promise.withResolvers<void>();
  readonly #over = Promise.withResolvers<void>();
  readonly first = this.#first.promise;
  /** Resolves at the end. */
  readonly over = this.#over.promise;

  push(piece: Piece): boolean {
    this.seen.push(new TextDecoder().decode(bytesOf(piece)));
    this.#first.resolve();
    return this.wants;
  }

  end(): void {
    this.seen.push("end");
    this.#over.resolve();
  }

  fail(cause: unknown): void {
    this.seen.push(String(cause));
    this.#over.resolve();
  }
}
