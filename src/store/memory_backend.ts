/**
 * A store that the threads of one process share, in the memory of its main thread.
 *
 * @module
 */
import type { Backend, Batch, StoredValue } from "./backend.ts";

/** The most values. */
const VALUES_MAX = 10_000;

/** The most batches that are known again. */
const DONE_MAX = 10_000;

interface Value {
  readonly json: string;
  readonly version: string;
  readonly until: number;
}

/** A store in memory. */
export class MemoryBackend implements Backend {
  readonly #now: () => number;
  /** Scope → key → value. */
  readonly #scopes = new Map<string, Map<string, Value>>();
  readonly #done = new Map<string, boolean>();
  #count = 0;

  /** @param now the time in milliseconds, from any start */
  constructor(now: () => number) {
    this.#now = now;
  }

  read(scope: string): Promise<readonly StoredValue[]> {
    return Promise.resolve(this.#livingOf(scope));
  }

  apply({ id, scope, changes }: Batch): Promise<boolean> {
    const known = this.#done.get(id);
    if (known !== undefined) return Promise.resolve(known);
    const living = new Map(this.#livingOf(scope).map((value) => [value.key, value]));
    const isRefused = changes.some((change) =>
      change.kind === "take" && change.version !== undefined &&
      living.get(change.key)?.version !== change.version
    );
    remember(this.#done, { key: id, value: !isRefused, countMax: DONE_MAX });
    if (isRefused) return Promise.resolve(false);
    for (const change of changes) {
      const { key } = change;
      if (change.kind === "take") {
        this.#remove(scope, key);
        living.delete(key);
        continue;
      }
      const before = Number(living.get(key)?.json);
      const json = change.kind === "put"
        ? change.json
        : String((Number.isFinite(before) ? before : 0) + change.by);
      this.#put(scope, { key, json, version: id, leftMs: change.ttlMs });
      living.set(key, { key, json, version: id, leftMs: change.ttlMs });
    }
    return Promise.resolve(true);
  }

  list(countMax: number): Promise<readonly StoredValue[]> {
    return Promise.resolve(
      [...this.#scopes.keys()].flatMap((scope) => this.#livingOf(scope)).slice(0, countMax),
    );
  }

  ping(): Promise<void> {
    return Promise.resolve();
  }

  /** Replaces what is in a scope. */
  replace(scope: string, values: readonly StoredValue[]): void {
    for (const key of [...this.#scopes.get(scope)?.keys() ?? []]) this.#remove(scope, key);
    for (const value of values) this.#put(scope, value);
  }

  #livingOf(scope: string): StoredValue[] {
    const now = this.#now();
    const values = [...this.#scopes.get(scope) ?? []];
    for (const [key, { until }] of values) if (until <= now) this.#remove(scope, key);
    return values.filter(([, { until }]) => until > now)
      .map(([key, { json, version, until }]) => ({ key, json, version, leftMs: until - now }));
  }

  #put(scope: string, { key, json, version, leftMs }: StoredValue): void {
    this.#remove(scope, key);
    const values = this.#scopes.get(scope) ?? new Map<string, Value>();
    values.set(key, { json, version, until: this.#now() + leftMs });
    // Delete first, so that the map's order is the order of the changes.
    this.#scopes.delete(scope);
    this.#scopes.set(scope, values);
    this.#count++;
    while (this.#count > VALUES_MAX) this.#dropOldest();
  }

  #remove(scope: string, key: string): void {
    const values = this.#scopes.get(scope);
    if (!values?.delete(key)) return;
    this.#count--;
    if (values.size === 0) this.#scopes.delete(scope);
  }

  #dropOldest(): void {
    const [scope] = this.#scopes.keys();
    const [key] = (scope === undefined ? undefined : this.#scopes.get(scope))?.keys() ?? [];
    if (scope === undefined || key === undefined) this.#count = 0;
    else this.#remove(scope, key);
  }
}

function remember(
  known: Map<string, boolean>,
  { key, value, countMax }: { readonly key: string; readonly value: boolean; readonly countMax: number },
): void {
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > countMax && oldest !== undefined) known.delete(oldest);
}
