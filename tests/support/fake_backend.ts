/**
 * A store for replicas in memory, which can go away, hang, or run a call late.
 *
 * @module
 */
import { type Backend, type Batch, scopeOf, type StoredValue } from "../../src/proxy/store/backend.ts";
import { MemoryBackend } from "../../src/proxy/store/memory_backend.ts";

export type Behavior = "answers" | "fails" | "hangs";

/** A store in memory. */
export class FakeBackend implements Backend {
  behavior: Behavior = "answers";
  /** How many calls arrived. */
  calls = 0;
  readonly #memory = new MemoryBackend(() => 0);
  #late: (() => unknown)[] = [];
  #entered: (() => void) | undefined;

  read(scope: string): Promise<readonly StoredValue[]> {
    return this.#answer(() => this.#memory.read(scope));
  }

  apply(batch: Batch): Promise<boolean> {
    if (this.#entered !== undefined) this.behavior = "hangs";
    const result = this.#answer(() => this.#memory.apply(batch));
    this.#entered?.();
    this.#entered = undefined;
    return result;
  }

  list(countMax: number): Promise<readonly StoredValue[]> {
    return this.#answer(() => this.#memory.list(countMax));
  }

  ping(): Promise<void> {
    return this.#answer(() => this.#memory.ping());
  }

  /** Resolves when the next batch arrives, which hangs. */
  nextBatch(): Promise<void> {
    return new Promise((resolve) => this.#entered = resolve);
  }

  /** Runs the calls that hang; who made them no longer waits. */
  thaw(): void {
    this.behavior = "answers";
    for (const call of this.#late) call();
    this.#late = [];
  }

  async valueOf(key: string): Promise<unknown> {
    const found = (await this.#memory.read(scopeOf(key))).find((value) => value.key === key);
    return found && JSON.parse(found.json);
  }

  #answer<T>(call: () => Promise<T>): Promise<T> {
    this.calls++;
    if (this.behavior === "fails") return Promise.reject(new Error("connection refused"));
    if (this.behavior === "answers") return call();
    return new Promise((resolve) => this.#late.push(() => resolve(call())));
  }
}

/** Time for tests: it passes only when a test lets it. */
export class FakeTime {
  #now = 0;
  #waits: { readonly at: number; readonly resolve: () => void }[] = [];

  readonly now = (): number => this.#now;

  readonly wait = (ms: number, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waits.push({ at: this.#now + ms, resolve });
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  };

  /** Lets time pass, and everything happen that waits for it. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      for (let turn = 0; turn < 50; turn++) await Promise.resolve();
      const next = this.#waits.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.#waits = this.#waits.filter((each) => each !== next);
      this.#now = Math.max(this.#now, next.at);
      next.resolve();
    }
    this.#now = end;
  }
}
