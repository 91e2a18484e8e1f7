/**
 * The calls whose results aren't known yet: in memory, bounded, the oldest forgotten first.
 *
 * @module
 */
import type { PendingCall } from "./results.ts";

/** The most conversations that are remembered. */
const CONVERSATIONS_MAX = 10_000;

/** The most calls of one conversation. */
const CALLS_MAX = 128;

/** Calls of conversations. */
export class PendingCalls {
  readonly #calls = new Map<string, readonly PendingCall[]>();

  /** Remembers the calls of an answer. They replace those of the answer before it. */
  put(conversation: string, calls: readonly PendingCall[]): void {
    this.#calls.delete(conversation);
    if (calls.length === 0) return;
    this.#calls.set(conversation, calls.slice(0, CALLS_MAX));
    if (this.#calls.size <= CONVERSATIONS_MAX) return;
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined) this.#calls.delete(oldest);
  }

  /** The calls of a conversation. */
  of(conversation: string): readonly PendingCall[] {
    return this.#calls.get(conversation) ?? [];
  }
}
