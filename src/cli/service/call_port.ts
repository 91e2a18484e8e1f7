/**
 * Calls between a worker and the thread that started it: each side has functions that the other one calls by name.
 *
 *     call("read", scope) ─▶ { id, name, args } ─▶ read(scope)
 *                         ◀─ { id, value | error } ◀─
 *
 * @module
 */

/** The arguments of a function; they have to be what `structuredClone` takes. */
type ArgumentsOf<F> = F extends (...args: infer A) => unknown ? A : never;

/** The result of a function, awaited; likewise. */
type ResultOf<F> = F extends (...args: never[]) => infer R ? Awaited<R> : never;

/** One end of the line: a `Worker`, or a worker's own scope. */
export interface MessageEnd {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
}

type Message =
  | { readonly kind: "call"; readonly id: number; readonly name: string; readonly args: unknown[] }
  | { readonly kind: "post"; readonly name: string; readonly args: unknown[] }
  | { readonly kind: "value"; readonly id: number; readonly value: unknown }
  | { readonly kind: "error"; readonly id: number; readonly message: string };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (cause: Error) => void;
}

/** The other side's functions, and a way to end what waits for them. */
export class CallPort<Theirs extends object> {
  readonly #end: MessageEnd;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #failed: Error | undefined;

  constructor(end: MessageEnd, ours: object) {
    this.#end = end;
    end.addEventListener("message", ({ data }) => void this.#receive(data, ours));
  }

  call<Name extends keyof Theirs & string>(
    name: Name,
    ...args: ArgumentsOf<Theirs[Name]>
  ): Promise<ResultOf<Theirs[Name]>> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      if (this.#failed !== undefined) return reject(this.#failed);
      this.#end.postMessage({ kind: "call", id, name, args } satisfies Message);
      this.#waiting.set(id, {
        resolve: (value) => resolve(value as ResultOf<Theirs[Name]>),
        reject,
      });
    });
  }

  /** Calls a function of the other side whose result no one needs. */
  post<Name extends keyof Theirs & string>(name: Name, ...args: ArgumentsOf<Theirs[Name]>): void {
    this.#end.postMessage({ kind: "post", name, args } satisfies Message);
  }

  /** The other side is gone: all calls fail, also later ones. */
  fail(cause: Error): void {
    this.#failed = cause;
    for (const { reject } of this.#waiting.values()) reject(cause);
    this.#waiting.clear();
  }

  async #receive(message: Message, ours: object): Promise<void> {
    if (message.kind === "call" || message.kind === "post") {
      const { name, args } = message;
      try {
        const called: unknown = Reflect.get(ours, name);
        if (typeof called !== "function") throw new Error(`No function ${name}`);
        const value: unknown = await Reflect.apply(called, ours, args);
        if (message.kind === "call") {
          this.#end.postMessage({ kind: "value", id: message.id, value } satisfies Message);
        }
      } catch (cause) {
        const text = cause instanceof Error ? cause.message : String(cause);
        if (message.kind === "call") {
          this.#end.postMessage({ kind: "error", id: message.id, message: text } satisfies Message);
        }
      }
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === "value") waiting?.resolve(message.value);
    else waiting?.reject(new Error(message.message));
  }
}
