/** The questions that wait for the engine: of each kind the newest, which also ends the work on an older one. @module */
import type { Engine, Steps } from "./engine.ts";
import type { FromWorker, Kind, ToWorker } from "./protocol.ts";

export type Asked = Exclude<ToWorker, { readonly kind: "setup" }>;

interface QueueOptions {
  readonly send: (message: FromWorker) => void;
  /** Calls a function after the messages that have arrived. */
  readonly later: (step: () => void) => void;
}

/** The order in which kinds of questions are answered: what takes little time comes first. */
const ORDER: readonly Kind[] = ["complete", "open", "check", "trace", "derive", "examples"];

export class Queue {
  readonly #options: QueueOptions;
  readonly #waiting = new Map<Kind, { readonly asked: Asked; work?: Steps<Kind> }>();
  #engine: Engine | undefined;
  #isRunning = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Works with another setup; what waits is answered with it. */
  use(engine: Engine): void {
    this.#engine = engine;
    for (const [kind, { asked }] of this.#waiting) this.#waiting.set(kind, { asked });
    this.#run();
  }

  /** Adds a question; it replaces one of the same kind. */
  add(asked: Asked): void {
    this.#waiting.set(asked.kind, { asked });
    this.#run();
  }

  #run(): void {
    if (this.#isRunning || this.#engine === undefined || this.#waiting.size === 0) return;
    this.#isRunning = true;
    this.#options.later(() => {
      this.#isRunning = false;
      this.#step();
      this.#run();
    });
  }

  #step(): void {
    const kind = ORDER.find((one) => this.#waiting.has(one));
    const entry = kind && this.#waiting.get(kind);
    if (kind === undefined || entry === undefined || this.#engine === undefined) return;
    const { asked: { id, question } } = entry;
    try {
      entry.work ??= this.#engine.begin(kind, question as never);
      const { done, value } = entry.work.next();
      if (!done) return;
      this.#waiting.delete(kind);
      this.#options.send({ kind, id, answer: value } as FromWorker);
    } catch (cause) {
      this.#waiting.delete(kind);
      this.#options.send({
        kind: "failed",
        id,
        message: cause instanceof Error ? cause.message : String(cause),
      });
    }
  }
}
