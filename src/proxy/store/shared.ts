/**
 * A memory that replicas share. Each process keeps a copy of the scopes that its requests read. Plugins work on the copy,
 * also while the store is away.
 *
 * @module
 */
import { dropOldest } from "../../engine/object/drop_oldest.ts";
import { COMMON_SCOPE, scopeOf, type StoredValue } from "./backend.ts";
import { type LinkOptions, StoreLink } from "./link.ts";
import { Recorder } from "./recorder.ts";
import type { Sessions, StoreSession } from "./session.ts";
import { MemoryStore, type StoreEntry } from "./store.ts";

export interface SharedOptions extends LinkOptions {
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
    this.#copies.delete(scope);
    this.#copies.set(scope, copy);
    dropOldest(this.#copies, SCOPES_MAX);
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
