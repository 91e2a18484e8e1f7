/**
 * Finds texts that more than one rule reads: an example of one rule of which another rule alone makes a call too.
 *
 * @module
 */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { present } from "../object/present.ts";
import type { Program } from "../scan/program.ts";
import { compileRules } from "./compile.ts";
import { readOffer } from "./offer.ts";
import { readAnswer } from "./outcome.ts";
import type { LoadedRules } from "./read.ts";
import type { Rule } from "./schema.ts";

/** The length of the shown part of a text that both rules read. */
const SHOWN = 60;

/** A warning for each rule and each other rule that is on and reads one of its examples. */
export function findOverlaps(
  loaded: LoadedRules,
  { only }: { only: (rule: Rule) => boolean },
): Diagnostic[] {
  const targets = loaded.rules.filter((rule) => makesCalls(rule) && only(rule));
  if (targets.length === 0) return [];
  const opaque = loaded.rules.filter((rule) => rule.enabled && rule.body === "opaque");
  const others = loaded.rules.filter((rule) => rule.enabled && makesCalls(rule))
    .map((rule) => ({ rule, program: compileRules([rule, ...opaque]).program }));
  return targets.flatMap((target) =>
    others.filter(({ rule }) => rule.rule !== target.rule).flatMap(({ rule, program }) => {
      const text = textOfBoth(target, program);
      return text === undefined ? [] : [overlap(loaded, { target, other: rule, text })];
    })
  );
}

function makesCalls({ body }: Rule): boolean {
  return body !== "opaque" && body !== "group";
}

/** The first example of a rule that another program makes a call of. */
function textOfBoth({ examples }: Rule, program: Program): string | undefined {
  return examples.find(({ input, offered }) =>
    readAnswer(program, { pieces: [input], offered: readOffer(offered).offered }).calls.length > 0
  )?.input;
}

function overlap(
  loaded: LoadedRules,
  { target, other, text }: { target: Rule; other: Rule; text: string },
): Diagnostic {
  const location = loaded.locate(target.rule, ["pattern"]);
  const [winner, why] = target.confidence === other.confidence
    ? ["the one with the longer opener", "both are as confident"]
    : target.confidence > other.confidence
    ? [`\`${target.rule}\``, "it is more confident"]
    : [`\`${other.rule}\``, "it is more confident"];
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return {
    code: "rules_overlap",
    severity: "warning",
    message: `Rule "${other.rule}" reads what rule "${target.rule}" reads`,
    ...present({ location }),
    help: `both make a call of ${JSON.stringify(shown)}; ${winner} wins: ${why}`,
  };
}
