/** Derives a rule from the answer in the playground, and puts the result into a sentence. @module */
import type { EngineClient } from "./engine_client.ts";
import type { PlayState } from "./state.ts";

export interface DerivedInto {
  readonly message: string;
  readonly rule?: string;
}

export async function deriveInto(
  client: Pick<EngineClient, "answer">,
  asked: PlayState & { readonly name: string },
): Promise<DerivedInto> {
  const answer = await client.answer("derive", asked).catch((cause: Error) => ({
    problem: cause.message,
    help: "change the answer",
  }));
  if ("problem" in answer) return { message: `${answer.problem}: ${answer.help}.` };
  const [first, ...others] = answer.derivations;
  if (first === undefined) return { message: "Nothing in the answer looks like a call." };
  if (first.kind === "known") return { message: `The rule ${first.rule} already reads this.` };
  if (first.kind === "refused") return { message: `No rule can be derived. ${first.why}.` };
  const also = others.some(({ kind }) => kind === "rule")
    ? " The answer also contains another notation: save this rule, then derive again."
    : "";
  const off = first.isOff
    ? " It is off because its calls have no distinctive marker: check it before you turn it on."
    : "";
  const reads = first.reads.map(({ tool, arguments: given }) => `${tool} ${JSON.stringify(given)}`).join(
    "; ",
  );
  const proof = reads === ""
    ? ""
    : ` From this answer, the rule reads: ${reads}. Compare the values with the answer.`;
  const quoted = first.isQuoted ? " The call is in a fence, which is often documentation." : "";
  return {
    message:
      `Derived the rule ${first.name}; its ${first.exampleCount} examples pass.${proof}${quoted}${off}${also}`,
    rule: first.text,
  };
}
