/** A store that the threads of one process share, in the memory of its main thread. @module */
import { putLast } from "../../engine/object/drop_oldest.ts";
import type { Backend, Batch, StoredValue } from "./backend.ts";
import { LivingValues } from "./expiring_values.ts";

/** The most values; if there are more, the scope that changed longest ago is dropped. */
const VALUES_MAX = 10_000;

const DONE_MAX = 10_000;

type Scope = LivingValues<Pick<StoredValue, "json" | "version">>;

export class MemoryBackend implements Backend {
  readonly #now: () => number;
  /** The scope that changed last is the last. */
  readonly #scopes = new Map<string, Scope>();
  /** Batch → its outcome. */
  readonly #done = new Map<string, boolean>();
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  read(scope: string): Promise<readonly StoredValue[]> {
    return Promise.resolve(valuesOf(this.#scopes.get(scope)));
  }

  apply(batch: Batch): Promise<boolean> {
    const known = this.#done.get(batch.id);
    if (known !== undefined) return Promise.resolve(known);
    const before = this.#scopes.get(batch.scope);
    const isRefused = batch.changes.some((change) =>
      change.kind === "take" && change.version !== undefined &&
      before?.get(change.key)?.version !== change.version
    );
    putLast(this.#done, batch.id, !isRefused, DONE_MAX);
    if (!isRefused) this.#set(batch.scope, () => changed(before ?? this.#newScope(), batch));
    return Promise.resolve(!isRefused);
  }

  list(countMax: number): Promise<readonly StoredValue[]> {
    return Promise.resolve([...this.#scopes.values()].flatMap(valuesOf).slice(0, countMax));
  }

  ping(): Promise<void> {
    return Promise.resolve();
  }

  replace(scope: string, values: readonly StoredValue[]): void {
    this.#set(scope, () => {
      const scope = this.#newScope();
      for (const { key, json, version, leftMs } of values) {
        scope.put(key, { json, version }, { ttlMs: leftMs });
      }
      return scope;
    });
  }

  #newScope(): Scope {
    return new LivingValues({ now: this.#now });
  }

  /** Replaces a scope with what `change` returns. */
  #set(name: string, change: () => Scope): void {
    this.#count -= this.#scopes.get(name)?.size ?? 0;
    const scope = change();
    // Delete first, so that the map is in the order of changes.
    this.#scopes.delete(name);
    if (scope.size > 0) this.#scopes.set(name, scope);
    this.#count += scope.size;
    for (const [oldest, { size }] of this.#scopes) {
      if (this.#count <= VALUES_MAX) return;
      this.#scopes.delete(oldest);
      this.#count -= size;
    }
  }
}

function valuesOf(scope: Scope | undefined): StoredValue[] {
  return (scope?.entries() ?? []).map(({ key, value, leftMs }) => ({ key, ...value, leftMs }));
}

function changed(scope: Scope, { id, changes }: Batch): Scope {
  for (const change of changes) {
    const { key } = change;
    if (change.kind === "take") {
      scope.take(key);
      continue;
    }
    const json = change.kind === "put" ? change.json : String(numberOf(scope.get(key)?.json) + change.by);
    scope.put(key, { json, version: id }, change);
  }
  return scope;
}

/** The number in a value's JSON, or 0. */
function numberOf(json: string | undefined): number {
  const number = Number(json);
  return Number.isFinite(number) ? number : 0;
}
