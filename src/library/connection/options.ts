/** The options of a connection. @module */
import { openRules } from "../loaded.ts";
import { MINIMUM_CONFIDENCE } from "../given.ts";
import { shippedRules } from "../shipped.ts";
import type { ConnectionOptions, Rules } from "../types.ts";

/** The options of a connection with the values that are there by default. */
export interface Connection extends ConnectionOptions {
  readonly rules: Rules;
  readonly minimumConfidence: number;
  readonly reasoning: "ignore" | "recover";
  readonly reasoningText: "separate" | "keep";
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
    reasoningText: options.reasoningText ?? "separate",
    beginsInReasoning: options.beginsInReasoning ?? false,
  };
}
