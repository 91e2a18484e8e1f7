/**
 * A rule from a chat template: what it writes for calls that are known.
 *
 * @module
 */
import { type Derivation, deriveFrom, type DeriveOptions, proofsOf, refused } from "./derive.ts";
import { markSample } from "./locate_calls.ts";
import { TemplateProbe } from "./probe.ts";
import { LEARNING, type ProbeCalls, PROVING } from "./probe_calls.ts";
import type { Proof } from "./rule_file.ts";
import type { ChatTemplate } from "./template.ts";
import { type SampleStyle, sampleWriter, stringMarkOf } from "./response_sample.ts";
import { readResponseTemplate } from "./response_template.ts";

/** A rule for what a chat template writes. */
export function deriveFromTemplate(template: ChatTemplate, options: DeriveOptions): Derivation {
  const probe = TemplateProbe.open(template);
  if (probe === undefined) {
    return refused(
      "The template writes no tool calls, or uses Jinja features that Dragoman's template engine doesn't support",
    );
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

interface FromResponseTemplate {
  readonly derivation: Derivation;
  /** What the rule doesn't carry, each as a sentence. */
  readonly notCarried: readonly string[];
}

const WIDE: SampleStyle = { gap: "\n", isMarked: false };

/** A rule for the calls that a template reads. */
export function deriveFromResponseTemplate(text: string, options: DeriveOptions): FromResponseTemplate {
  const template = readResponseTemplate(text);
  if (typeof template === "string") return { derivation: refused(template), notCarried: [] };
  const { calls: field, notCarried } = template;
  const writer = sampleWriter(field);
  if (typeof writer === "string") return { derivation: refused(writer), notCarried };
  const mark = stringMarkOf(field);
  const learned = LEARNING.flatMap(({ calls }) => {
    const sample = writer.write(calls, WIDE);
    const marked = sample && markSample(sample);
    return marked === undefined ? [] : [marked];
  });
  const styles = ["\n", ""].map((gap) => ({ gap, isMarked: mark !== undefined }));
  const proofs = styles.flatMap((style, index) =>
    PROVING.slice(0, index === 0 ? undefined : 1).flatMap(({ name, calls }): Proof[] => {
      const sample = writer.write(calls, style);
      return sample === undefined ? [] : [{ name: index === 0 ? name : `${name} on one line`, sample }];
    })
  );
  const own = mark === undefined ? {} : { json: { string_mark: mark } };
  return { derivation: deriveFrom(learned, { ...options, proofs, fields: own }), notCarried };
}
