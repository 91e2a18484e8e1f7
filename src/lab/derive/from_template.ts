/**
 * A rule from a chat template: what it writes for calls that are known.
 *
 * @module
 */
import { type Derivation, deriveFrom, type DeriveOptions, proofsOf, refused } from "./derive.ts";
import { markSample } from "./mark.ts";
import { TemplateProbe } from "./probe.ts";
import { LEARNING, type ProbeCalls, PROVING } from "./probe_calls.ts";
import type { Proof } from "./rule_file.ts";
import type { ChatTemplate } from "./template.ts";

/** A rule for what a chat template writes. */
export function deriveFromTemplate(template: ChatTemplate, options: DeriveOptions): Derivation {
  const probe = TemplateProbe.open(template);
  if (probe === undefined) {
    return refused("The template writes no tool calls, or it needs more of Jinja than the engine here knows");
  }
  const learned = LEARNING.flatMap(({ calls }) => {
    const sample = probe.sample(calls);
    const marked = sample && markSample(sample);
    return marked === undefined ? [] : [marked];
  });
  const isPython = learned.some(({ calls }) => calls.some(({ object }) => object?.isPython));
  const proofs = isPython ? proofsOf(learned) : PROVING.flatMap((one) => proofOf(one, probe));
  return deriveFrom(learned, { ...options, proofs, tokens: probe.spareTokens() });
}

/** What the template makes of the calls; nothing where it loses some of them. */
function proofOf({ name, calls }: ProbeCalls, probe: TemplateProbe): Proof[] {
  const sample = probe.sample(calls);
  const isWhole = sample !== undefined &&
    calls.every(({ tool, arguments: given }) =>
      sample.text.includes(tool) && Object.keys(given).every((key) => sample.text.includes(key))
    );
  return isWhole && countOf(sample.text, calls) ? [{ name, sample }] : [];
}

/** Whether every call is in the text, also if several are of the same tool. */
function countOf(text: string, calls: ProbeCalls["calls"]): boolean {
  return calls.every(({ tool }) => {
    const wanted = calls.filter((other) => other.tool === tool).length;
    return text.split(tool).length - 1 >= wanted;
  });
}
