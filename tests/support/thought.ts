/**
 * A rule of reasoning that the client gets apart from the text, and matchers of one rule.
 *
 * @module
 */
import { Matcher } from "../../src/engine/scan/matcher.ts";
import { anyTool } from "../../src/engine/tool/offered.ts";
import { programOf } from "./matcher_events.ts";

/** Reasoning in brackets, sent without them. */
export const THOUGHT = {
  rule: "thought",
  pattern: "\\[t\\](?<body>…)\\[/t\\]",
  body: "opaque",
  region: "reasoning",
  shows: "text",
  sends_as: "reasoning",
};

/** A matcher with nothing but this rule. */
export function matcherOf(rule: Parameters<typeof programOf>[0]): Matcher {
  return new Matcher(programOf(rule), { offered: anyTool, minimumConfidence: 0, wholeCalls: false });
}
