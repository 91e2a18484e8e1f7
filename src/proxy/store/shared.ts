/** A memory that replicas share: plugins work on a local copy of their scopes, also while the store is away. @module */
import { putLast } from "../../engine/object/drop_oldest.ts";
import {
  type Batch,
  type Change,
  COMMON_SCOPE,
  scopeOf,
  type StoredValue,
  withoutVersions,
} from "./backend.ts";
import { type LinkOptions, StoreLink } from "./link.ts";
import type { Sessions, StoreSession } from "./session.ts";
import { MemoryStore, type Store, type StoreEntry } from "./store.ts";

interface SharedOptions extends LinkOptions {
  readonly newId: () => string;
}

const SCOPES_MAX = 1000;

const ENTRIES_MAX = 1000;

export class SharedSessions implements Sessions {
  readonly #options: SharedOptions;
  readonly #copies = new Map<string, MemoryStore>();
  readonly link: StoreLink;

  constructor(options: SharedOptions) {
    this.#options = options;
    this.link = new StoreLink(options);
  }

  async open(conversation: string): Promise<StoreSession> {
    const scopes = [scopeOf(conversation), COMMON_SCOPE];
    const read = await this.link.attempt((backend) =>
      Promise.all(scopes.map((scope) => backend.read(scope)))
    );
    const versions = new Map<string, string>();
    read?.value.forEach((values, index) => {
      const scope = scopes[index];
      if (scope !== undefined) this.#copy(scope, values);
      for (const { key, version } of values) versions.set(key, version);
    });
    return this.#session(scopes, versions);
  }

  begin(): StoreSession {
    return this.#session([COMMON_SCOPE]);
  }

  async entries(): Promise<readonly StoreEntry[]> {
    const listed = await this.link.attempt((backend) => backend.list(ENTRIES_MAX));
    return listed === undefined
      ? [...this.#copies.values()].flatMap((values) => values.entries()).slice(0, ENTRIES_MAX)
      : readable(listed.value);
  }

  async remove(key: string): Promise<boolean> {
    const scope = scopeOf(key);
    const read = await this.link.attempt((backend) => backend.read(scope));
    if (read !== undefined) this.#copy(scope, read.value);
    const { store, save } = this.#session([scope]);
    const isThere = store.take(key) !== undefined;
    await save();
    return isThere;
  }

  #session(scopes: readonly string[], versions: ReadonlyMap<string, string> = new Map()): StoreSession {
    const recorder = new Recorder({ valuesOf: (scope) => this.#valuesOf(scope), scopes, versions });
    const send = async (isClaim: boolean): Promise<boolean> => {
      const { newId } = this.#options;
      for (const batch of recorder.takeBatches({ newId, isClaim })) {
        if (await this.link.send(batch) === false) return false;
      }
      return true;
    };
    return {
      store: recorder,
      claim: () => recorder.hasChanges ? send(true) : undefined,
      save: () => recorder.hasChanges ? send(false).then(() => {}) : undefined,
    };
  }

  #valuesOf(scope: string): MemoryStore {
    return this.#copies.get(scope) ?? this.#copy(scope, []);
  }

  #copy(scope: string, values: readonly StoredValue[]): MemoryStore {
    const copy = new MemoryStore({ now: this.#options.now });
    for (const { key, value, leftMs } of readable(values)) copy.put(key, value, { ttlMs: leftMs });
    putLast(this.#copies, scope, copy, SCOPES_MAX);
    return copy;
  }
}

/** The values that are JSON; others were written by another program. */
function readable(values: readonly StoredValue[]): StoreEntry[] {
  return values.flatMap(({ key, json, leftMs }) => {
    try {
      return [{ key, value: JSON.parse(json), leftMs }];
    } catch {
      return [];
    }
  });
}

interface RecorderOptions {
  readonly valuesOf: (scope: string) => MemoryStore;
  readonly scopes: readonly string[];
  /** Key → the version of its value, as it was read. */
  readonly versions: ReadonlyMap<string, string>;
}

/** Records its changes, so that they can be repeated in the store. */
class Recorder implements Store {
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

  /** The changes since the last batches, one for each scope. `isClaim`: fails if another request took a value. */
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
