/** A store that never fails: the shared one, or a copy in memory while it is away. @module */
import { type Backend, type Batch, type StoredValue, withoutVersions } from "./backend.ts";
import type { StoreLink } from "./link.ts";
import type { MemoryBackend } from "./memory_backend.ts";

export interface FallbackOptions {
  readonly link: Pick<StoreLink, "attempt" | "send">;
  readonly copy: MemoryBackend;
}

export class FallbackBackend implements Backend {
  readonly #options: FallbackOptions;

  constructor(options: FallbackOptions) {
    this.#options = options;
  }

  async read(scope: string): Promise<readonly StoredValue[]> {
    const { link, copy } = this.#options;
    const read = await link.attempt((backend) => backend.read(scope));
    if (read === undefined) return await copy.read(scope);
    copy.replace(scope, read.value);
    return read.value;
  }

  async apply(batch: Batch): Promise<boolean> {
    const { link, copy } = this.#options;
    const shared = await link.send(batch);
    // While the store is away, the copy decides who gets a value. The store gets the changes later.
    if (shared === undefined) return await copy.apply(batch);
    if (shared) await copy.apply(withoutVersions(batch));
    return shared;
  }

  async list(countMax: number): Promise<readonly StoredValue[]> {
    const { link, copy } = this.#options;
    return (await link.attempt((backend) => backend.list(countMax)))?.value ?? await copy.list(countMax);
  }

  ping(): Promise<void> {
    return Promise.resolve();
  }
}
