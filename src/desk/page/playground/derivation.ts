/**
 * Derives a rule from an answer, as `dragoman derive` does.
 *
 * @module
 */
import { deriveFromAnswers } from "../../../lab/derive/from_answers.ts";
import type { OfferedTool, OfferedTools } from "../../../engine/tool/offered.ts";
import type { AnswerRequest, Derived, Problem } from "./protocol.ts";
import type { Sources } from "./sources.ts";
import { chooseClient } from "./trace.ts";

/** Where the description of the rule states that it comes from. */
const ORIGIN = "the model";

/** Derives rules from an answer; the edited rule plays no part. */
export function deriveRule(
  asked: AnswerRequest & { readonly name: string },
  sources: Sources,
): Derived | Problem {
  const rules = sources.read("");
  const chosen = chooseClient(sources, { asked, rules });
  if ("problem" in chosen) return chosen;
  const tools = toolsOf(chosen.translator.offered);
  if (tools.length === 0) {
    return {
      problem: "The offered tools are unknown, so nothing shows what a call is",
      help: "name the tools and their parameters",
    };
  }
  return {
    derivations: deriveFromAnswers([{ text: asked.text, tools }], {
      name: asked.name,
      origin: ORIGIN,
      shipped: sources.files,
      known: rules.loaded.rules,
      schema: sources.setup.schema,
    }),
  };
}

/** Every tool under each of its names. */
function toolsOf(offered: OfferedTools | undefined): OfferedTool[] {
  return (offered?.spellings ?? offered?.names ?? []).flatMap((name) => {
    const tool = offered?.resolve(name);
    return tool === undefined ? [] : [{ ...tool, name }];
  });
}
