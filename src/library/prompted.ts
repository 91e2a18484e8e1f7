/**
 * Tells a model about its tools in the prompt: a request's tools are announced in a dialect, and its earlier calls and
 * results are spoken in it. `dragoman-engine/prompted`.
 *
 * @module
 */
import speeches from "../../rules/speech.json" with { type: "json" };
import { finish } from "../chat/pipeline/work.ts";
import { createSpeaker, dialectOf } from "../chat/prompt/dialect.ts";
import { speakRequest } from "../chat/prompt/request.ts";
import type { Speech } from "../engine/rule/speech.ts";
import { openRules } from "./loaded.ts";
import { MINIMUM_CONFIDENCE } from "./given.ts";
import type { Prompt, Rules } from "./types.ts";

export type { Prompt } from "./types.ts";

/** How the shipped rules' dialects are spoken. */
const SHIPPED = speeches as readonly Speech[];

/** Speaks one dialect. */
export interface Prompter {
  /** The name of its rule. */
  readonly dialect: string;
  /**
   * Writes a request's tools, earlier calls and results into its messages.
   *
   * @param body a request of chat completions, as JSON
   * @returns the request for a server that knows nothing of tools
   * @throws PromptError if the dialect can't carry a call of the request
   */
  write(body: string): string;
}

/** A dialect that isn't there, or that can't carry a call. */
export class PromptError extends Error {
  override readonly name = "PromptError";
}

/**
 * Speaks a dialect that the rules read.
 *
 * @param rules the rules that read the model's answers
 * @param wanted the dialect, or the model
 * @throws PromptError if none of the rules speaks that dialect
 */
export function prompted(
  rules: Rules,
  wanted: Prompt,
  { minimumConfidence = MINIMUM_CONFIDENCE }: { readonly minimumConfidence?: number | undefined } = {},
): Prompter {
  const { entries, program } = openRules(rules);
  const dialects = entries.filter(({ confidence }) => confidence >= minimumConfidence).flatMap(
    ({ name, speech }): Speech[] => {
      const found = speech as Speech | undefined ?? SHIPPED.find(({ rule }) => rule === name);
      return found === undefined ? [] : [found];
    },
  );
  const chosen = "dialect" in wanted
    ? dialects.find(({ rule }) => rule === wanted.dialect)
    : dialectOf([wanted.model], dialects);
  if (chosen === undefined) throw new PromptError(`No rule speaks ${JSON.stringify(wanted)}`);
  const speaker = createSpeaker(chosen, { program, minimumConfidence, dialects });
  return {
    dialect: chosen.rule,
    write(body) {
      const spoken = finish(speakRequest(body, { speaker }));
      if (spoken === undefined) return body;
      if ("body" in spoken) return spoken.body;
      const { tool, parameter } = spoken;
      const what = parameter === undefined ? "" : `, because of its parameter ${JSON.stringify(parameter)}`;
      throw new PromptError(
        `The dialect ${chosen.rule} can't express a call to ${JSON.stringify(tool)}${what}`,
      );
    },
  };
}
