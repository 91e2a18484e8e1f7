/**
 * The options of a connection.
 *
 * @module
 */
import { openRules } from "../loaded.ts";
import { MINIMUM_CONFIDENCE } from "../given.ts";
import { shippedRules } from "../shipped.ts";
import type { ConnectionOptions, Note, Reason, Rules } from "../types.ts";

/** The options of a connection with the values that are there by default. */
export interface Connection extends ConnectionOptions {
  readonly rules: Rules;
  readonly minimumConfidence: number;
  readonly reasoning: "ignore" | "recover";
  readonly beginsInReasoning: boolean;
}

/** Fills in what isn't given. */
export function connectionOf(options: ConnectionOptions): Connection {
  const { rules = shippedRules, minimumConfidence = MINIMUM_CONFIDENCE, reasoning = "recover" } = options;
  openRules(rules);
  return {
    ...options,
    rules,
    minimumConfidence,
    reasoning,
    beginsInReasoning: options.beginsInReasoning ?? false,
  };
}

/** Notes something about a connection, not about a call. */
export function remark({ onNote }: ConnectionOptions, reason: Reason, detail: string): void {
  onNote?.({ reason, rule: "", start: 0, end: 0, detail } satisfies Note);
}

/** A fresh id of a call: `call_` and 24 characters. */
export function newCallId(): string {
  return `call_${randomText(24)}`;
}

/** Random lower-case letters and digits. */
export function randomText(length: number): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, (byte) => (byte % 36).toString(36)).join("");
}
