/** The store that replicas share: values in scopes, one a conversation, changed by batches that take effect once. @module */

export type Change =
  | { readonly kind: "put"; readonly key: string; readonly ttlMs: number; readonly json: string }
  | { readonly kind: "add"; readonly key: string; readonly ttlMs: number; readonly by: number }
  /** Removes a value; if a version is given, the whole batch takes effect only if the value still has it. */
  | { readonly kind: "take"; readonly key: string; readonly version?: string };

/** Changes that take effect together. */
export interface Batch {
  /** Unique, so a batch that is sent again, or runs late, changes nothing. */
  readonly id: string;
  readonly scope: string;
  readonly changes: readonly Change[];
}

export interface StoredValue {
  readonly key: string;
  readonly json: string;
  /** Differs after each change. */
  readonly version: string;
  readonly leftMs: number;
}

/** A store that replicas share. Its methods reject while it is away. */
export interface Backend {
  read(scope: string): Promise<readonly StoredValue[]>;
  /** Applies a batch; false: a value that it takes has another version, so nothing was changed. */
  apply(batch: Batch): Promise<boolean>;
  /** Some living values of any scope, at most this many. */
  list(countMax: number): Promise<readonly StoredValue[]>;
  ping(): Promise<void>;
}

export function withoutVersions(batch: Batch): Batch {
  const changes = batch.changes.map((change): Change =>
    change.kind === "take" ? { kind: "take", key: change.key } : change
  );
  return { ...batch, changes };
}

/** The scope of keys that belong to no conversation. */
export const COMMON_SCOPE = "any";

/** The scope of a key: the id of a conversation in it, or the one for all others. */
export function scopeOf(key: string): string {
  return /[0-9a-f]{16}/.exec(key)?.[0] ?? COMMON_SCOPE;
}
