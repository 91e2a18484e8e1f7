/** Reads answers to requests without tools, such as a title or a summary: only the reasoning leaves the text. @module */
import type { CompiledRule } from "../../engine/scan/compiled_rule.ts";
import type { ReasoningField } from "../message/chunk.ts";
import { offer, openAnswer, type Program, selectRules } from "../../engine/mod.ts";
import type { TextStage } from "../../engine/event/stage.ts";

/** Creates what reads one answer, which by default is whole and begins as an answer. */
type CreateReader = (
  reading?: { readonly isStreamed?: boolean; readonly beginsInReasoning?: boolean },
) => TextStage;

/** How answers without calls are read for a client. */
export interface ReasoningReader {
  readonly createMatcher: CreateReader;
  /** The field in which the client reads reasoning. */
  readonly reasoningField: ReasoningField;
}

const NO_TOOLS = offer([]);

/** Creates readers with the rules of a program that describe reasoning and what quotes it; undefined without any. */
export function createReasoningReader(program: Program): CreateReader | undefined {
  const names = new Set(program.rules.filter(isRegion).map(({ name }) => name));
  const regions = selectRules(program, names);
  if (regions.automata.prefilled === undefined) return undefined;
  return ({ isStreamed = false, beginsInReasoning = false } = {}) =>
    openAnswer(regions, {
      offered: NO_TOOLS,
      minimumConfidence: 1,
      wholeCalls: false,
      separatesReasoning: true,
      isWhole: !isStreamed,
      beginsInReasoning,
    });
}

/** Whether a rule describes a stretch of the answer that counts without a call, and of which something is left. */
function isRegion({ body }: CompiledRule): boolean {
  return body.kind === "opaque" && body.shows !== "nothing" &&
    ["answer", "fence", "quote", "reasoning"].includes(body.region);
}
