/**
 * Sends a rule to the server, which checks it and saves it.
 *
 * @module
 */
/// <reference lib="dom" />
import type { SaveResult } from "../../admin/playground.ts";

/** What became of a rule. */
export interface Saved {
  /** Whether it was saved. */
  readonly isSaved: boolean;
  /** One sentence about it. */
  readonly message: string;
}

/** Saves a rule. */
export async function saveRule(text: string): Promise<Saved> {
  const headers = { "content-type": "application/yaml", accept: "application/json" };
  const response = await fetch("rules", { method: "POST", headers, body: text }).catch(() => undefined);
  if (response === undefined) {
    return { isSaved: false, message: "The server doesn't answer. Is it still running?" };
  }
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) {
    return {
      isSaved: false,
      message: answer?.error?.message ?? `The server answers with status ${response.status}`,
    };
  }
  const { file, exampleCount } = answer as SaveResult & { readonly isSaved: true };
  return {
    isSaved: true,
    message: `Saved ${file}: ${exampleCount} ${
      exampleCount === 1 ? "example passes" : "examples pass"
    }. The running proxy uses it now.`,
  };
}
