/**
 * The memory between requests, as one request uses it: everything that the request may need is read when it arrives, its
 * plugins read and write without waiting, and what they wrote is saved before the client gets the bytes that follow.
 *
 *     request ─▶ open ─▶ onRequest ─▶ claim ─▶ model ─▶ hooks ─▶ save ─▶ bytes for the client
 *
 * @module
 */
import type { Store, StoreEntry } from "./store.ts";

/** The memory of one request. */
export interface StoreSession {
  /** What its plugins read and write. */
  readonly store: Store;
  /**
   * Saves what has been written, if no other request has taken a value that this one took. False: one has, and nothing
   * was saved. Undefined: there is nothing to wait for, and the values are this request's.
   */
  claim(): Promise<boolean> | undefined;
  /** Saves what has been written; undefined: there is nothing to wait for. Never rejects. */
  save(): Promise<void> | undefined;
}

/** The memory between requests. */
export interface Sessions {
  /** Reads what earlier requests of the conversation left, on any replica. Never rejects. */
  open(conversation: string): Promise<StoreSession>;
  /** A session with what this process remembers. */
  begin(): StoreSession;
  /** The living values, for the admin pages. */
  entries(): Promise<readonly StoreEntry[]>;
  /** Removes a value; whether there was one. */
  remove(key: string): Promise<boolean>;
}

/** A memory in this process only. */
export function memorySessions(store: Store): Sessions {
  const session: StoreSession = { store, claim: () => undefined, save: () => undefined };
  return {
    open: () => Promise.resolve(session),
    begin: () => session,
    entries: () => Promise.resolve(store.entries()),
    remove: (key) => Promise.resolve(store.take(key) !== undefined),
  };
}
