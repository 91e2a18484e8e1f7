/**
 * A body that pushes its bytes. A web stream costs several promises and buffers for each piece, and a streamed answer
 * is hundreds of small pieces a second, so bytes travel by calls, and only those who need a web stream read one:
 *
 *     upstream's socket ─push─▶ translation ─push─▶ client's socket
 *
 * A flow begins paused. It pushes after `resume`, until `push` returns false; then it waits for the next `resume`.
 * `end` and `fail` wait, too, so nothing arrives at a sink that asked to wait.
 *
 * @module
 */

/** Receives a body. */
export interface BodySink {
  /** The next bytes. They are valid until this returns true, or until the next `resume`. False: wait for `resume`. */
  push(bytes: Uint8Array): boolean;
  /** The body is over. */
  end(): void;
  /** The body broke off. */
  fail(cause: unknown): void;
}

/** A body on its path to a sink. */
export interface BodyFlow {
  /** The sink wants more. Has no effect while it is wanted already. */
  resume(): void;
  /** Nothing is wanted any more, and nothing arrives after this. */
  cancel(): void;
}

/** Connects a body to its sink. */
export type OpenFlow = (sink: BodySink) => BodyFlow;

/** A flow that is also a web stream. It is read in one of the two ways, once. */
export class FlowStream extends ReadableStream<Uint8Array<ArrayBuffer>> {
  readonly #open: OpenFlow;

  /** @param open connects the body; called once, by the first who reads or cancels */
  constructor(open: OpenFlow) {
    let flow: BodyFlow | undefined;
    super({
      pull(controller) {
        flow ??= open({
          push(bytes) {
            controller.enqueue(new Uint8Array(bytes));
            return false;
          },
          end: () => controller.close(),
          fail: (cause) => controller.error(cause),
        });
        flow.resume();
      },
      cancel() {
        flow ??= open(NO_SINK);
        flow.cancel();
      },
    }, { highWaterMark: 0 });
    this.#open = open;
  }

  /** Connects the body to a sink instead of a reader. */
  flow(sink: BodySink): BodyFlow {
    // The lock keeps others from reading the same body.
    this.getReader();
    return this.#open(sink);
  }
}

const NO_SINK: BodySink = { push: () => false, end() {}, fail() {} };
