/**
 * The memory between requests, as one request uses it. All that the request can need is read when it arrives. Its plugins
 * read and write without waiting, and their changes are saved before the client gets the next bytes.
 *
 *     request ─▶ open ─▶ onRequest ─▶ claim ─▶ model ─▶ hooks ─▶ save ─▶ bytes for the client
 *
 * @module
 */
import type { Store, StoreEntry } from "./store.ts";

export interface StoreSession {
  readonly store: Store;
  /**
   * Saves the changes, unless another request took one of the same values. False: one did, and nothing was saved.
   * Undefined: there is nothing to wait for, and the values belong to this request.
   */
  claim(): Promise<boolean> | undefined;
  /** Saves the changes; undefined if there is nothing to wait for. Never rejects. */
  save(): Promise<void> | undefined;
}

export interface Sessions {
  /** Reads what earlier requests of the conversation stored, on any replica. Never rejects. */
  open(conversation: string): Promise<StoreSession>;
  /** A session with only this process's memory. */
  begin(): StoreSession;
  entries(): Promise<readonly StoreEntry[]>;
  remove(key: string): Promise<boolean>;
}

export function memorySessions(store: Store): Sessions {
  const session: StoreSession = { store, claim: () => undefined, save: () => undefined };
  return {
    open: () => Promise.resolve(session),
    begin: () => session,
    entries: () => Promise.resolve(store.entries()),
    remove: (key) => Promise.resolve(store.take(key) !== undefined),
  };
}
