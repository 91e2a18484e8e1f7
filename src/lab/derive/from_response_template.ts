/**
 * A rule from a model's `response_template`: from calls as the template reads them, proved by others.
 *
 * @module
 */
import { type Derivation, deriveFrom, type DeriveOptions, refused } from "./derive.ts";
import { markSample } from "./mark.ts";
import { LEARNING, PROVING } from "./probe_calls.ts";
import { type SampleStyle, sampleWriter, stringMarkOf } from "./response_sample.ts";
import { readResponseTemplate } from "./response_template.ts";
import type { Proof } from "./rule_file.ts";

/** What came of a template. */
export interface FromResponseTemplate {
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
