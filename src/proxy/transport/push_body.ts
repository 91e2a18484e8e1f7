/**
 * A body that pushes its bytes. A web stream costs several promises and buffers for each piece, and a streamed answer has
 * hundreds of small pieces a second. So bytes are passed by calls, and only a reader that needs a web stream gets one:
 *
 *     upstream's socket ─push─▶ translation ─push─▶ client's socket
 *
 * A flow begins paused. After `resume`, it pushes until `push` returns false, then waits for the next `resume`. `end` and
 * `fail` wait, too, so a sink that asked to wait receives nothing.
 *
 * @module
 */

/** The next bytes of a body. A stage that has their text gives that: a socket writes it several times faster. */
export type Piece = Uint8Array | string;

const ENCODER = new TextEncoder();

export function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === "string" ? ENCODER.encode(piece) : piece;
}

export interface BodySink {
  /** Takes the next piece. Its bytes are valid until this returns true, or until the next `resume`. False: wait for `resume`. */
  push(piece: Piece): boolean;
  end(): void;
  fail(cause: unknown): void;
}

export interface BodyFlow {
  /** Asks for more. Has no effect if more is wanted already. */
  resume(): void;
  /** Stops the body; nothing is pushed after this. */
  cancel(): void;
}

type OpenFlow = (sink: BodySink) => BodyFlow;

/** A flow that is also a web stream. Whoever read the beginning of the stream, and no more, can go on with the flow. */
export class FlowStream extends ReadableStream<Uint8Array<ArrayBuffer>> {
  readonly #connect: OpenFlow;

  /** @param open connects the body; called once, at the first read or cancel */
  constructor(open: OpenFlow) {
    let current: BodySink = NO_SINK;
    let flow: BodyFlow | undefined;
    /** Tells a sink how the body ended: whoever goes on with the flow may come after that. */
    let over: ((sink: BodySink) => void) | undefined;
    const finish = (tell: (sink: BodySink) => void) => {
      over = tell;
      tell(current);
    };
    const connect = (sink: BodySink): BodyFlow => {
      current = sink;
      flow ??= open({
        push: (piece) => current.push(piece),
        end: () => finish((sink) => sink.end()),
        fail: (cause) => finish((sink) => sink.fail(cause)),
      });
      const tell = over;
      return tell === undefined ? flow : { resume: () => tell(sink), cancel() {} };
    };
    super({
      pull(controller) {
        connect({
          push(piece) {
            controller.enqueue(typeof piece === "string" ? ENCODER.encode(piece) : new Uint8Array(piece));
            return false;
          },
          end: () => controller.close(),
          fail: (cause) => controller.error(cause),
        }).resume();
      },
      cancel: () => connect(NO_SINK).cancel(),
    }, { highWaterMark: 0 });
    this.#connect = connect;
  }

  flow(sink: BodySink): BodyFlow {
    // The lock prevents a second reader.
    this.getReader();
    return this.#connect(sink);
  }
}

const NO_SINK: BodySink = { push: () => false, end() {}, fail() {} };

/** A body of the last piece of a stream, or of a whole answer; `isBroken`: its connection breaks after it. */
export function endingWith(last: Piece, isBroken = false): FlowStream {
  return new FlowStream((client) => {
    let rest: Piece | undefined = last.length > 0 ? last : undefined;
    const flow = {
      resume() {
        const piece = rest;
        rest = undefined;
        if (piece !== undefined && !client.push(piece)) return;
        if (isBroken) client.fail(brokeOff());
        else client.end();
      },
      cancel() {},
    };
    return flow;
  });
}

/** Breaks the connection of a client that asks again after that. */
export function brokeOff(): Error {
  return new Error("The answer was cut off");
}
