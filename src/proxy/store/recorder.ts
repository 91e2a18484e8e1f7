/** A store that records its changes, so that they can be repeated elsewhere. @module */
import { type Batch, type Change, scopeOf, withoutVersions } from "./backend.ts";
import type { MemoryStore, Store, StoreEntry } from "./store.ts";

export interface RecorderOptions {
  readonly valuesOf: (scope: string) => MemoryStore;
  readonly scopes: readonly string[];
  /** Key → the version of its value, as it was read. */
  readonly versions: ReadonlyMap<string, string>;
}

export class Recorder implements Store {
  readonly #options: RecorderOptions;
  readonly #versions: Map<string, string>;
  #changes = new Map<string, Change[]>();

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#versions = new Map(options.versions);
  }

  get hasChanges(): boolean {
    return this.#changes.size > 0;
  }

  get(key: string): unknown {
    return this.#home(key).get(key);
  }

  put(key: string, value: unknown, options: { readonly ttlMs: number }): void {
    const json = JSON.stringify(value) ?? "null";
    const ttlMs = wholeTtl(options);
    this.#home(key).put(key, JSON.parse(json), { ttlMs });
    this.#note({ kind: "put", key, ttlMs, json });
  }

  add(key: string, by: number, options: { readonly ttlMs: number }): number {
    const ttlMs = wholeTtl(options);
    const sum = this.#home(key).add(key, by, { ttlMs });
    this.#note({ kind: "add", key, ttlMs, by });
    return sum;
  }

  take(key: string): unknown {
    const value = this.#home(key).take(key);
    const version = this.#versions.get(key);
    if (value !== undefined) this.#note({ kind: "take", key, ...(version === undefined ? {} : { version }) });
    return value;
  }

  entries(): readonly StoreEntry[] {
    return this.#options.scopes.flatMap((scope) => this.#options.valuesOf(scope).entries());
  }

  /**
   * The changes since the last batches, one batch for each scope. `isClaim`: it fails if another request took one of the
   * values.
   */
  takeBatches({ newId, isClaim }: { readonly newId: () => string; readonly isClaim: boolean }): Batch[] {
    const changes = this.#changes;
    this.#changes = new Map();
    return [...changes].map(([scope, changes]) => {
      const batch = { id: newId(), scope, changes };
      return isClaim ? batch : withoutVersions(batch);
    });
  }

  #home(key: string): MemoryStore {
    return this.#options.valuesOf(scopeOf(key));
  }

  #note(change: Change): void {
    const scope = scopeOf(change.key);
    const changes = this.#changes.get(scope);
    if (changes === undefined) this.#changes.set(scope, [change]);
    else changes.push(change);
    // The version of a value that this request wrote is unknown.
    this.#versions.delete(change.key);
  }
}

/** The longest time to live, in milliseconds: a year. */
const TTL_MAX_MS = 365 * 24 * 60 * 60_000;

/** A time to live that every store accepts: whole milliseconds, and finite. */
function wholeTtl({ ttlMs }: { readonly ttlMs: number }): number {
  return Math.min(TTL_MAX_MS, Math.max(0, Math.ceil(ttlMs) || 0));
}
