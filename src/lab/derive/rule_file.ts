/**
 * A derived rule as the text of a rule file, with examples that prove it.
 *
 * @module
 */
import { stringify } from "yaml";
import { present } from "../../engine/object/present.ts";
import type { RuleDraft } from "./draft.ts";
import type { Sample } from "./sample.ts";
import { typeName } from "./type_name.ts";

/** What a rule file is written from. */
export interface RuleFileParts {
  /** The rule's name, the same as its file's. */
  readonly name: string;
  /** One sentence: from what the rule was derived. */
  readonly description: string;
  readonly draft: RuleDraft;
  /** Texts that must give exactly these calls; other ones than the rule was derived from. */
  readonly proofs: readonly Proof[];
  /** Where the JSON Schema of rule files is, seen from the file. */
  readonly schema: string;
}

/** A text that proves a rule, with what it shows as a sentence. */
export interface Proof {
  readonly name: string;
  readonly sample: Sample;
  /** The text that stays. */
  readonly text?: string;
}

/** The text of the rule's file. */
export function writeRuleFile({ name, description, draft, proofs, schema }: RuleFileParts): string {
  const { pattern, body, tagged, envelope, keys, begins, followed_by, in_code, isBare, confidence } = draft;
  const fields = {
    rule: name,
    description,
    ...(isBare ? { enabled: false } : {}),
    pattern,
    body,
    ...present({ tagged, envelope, keys, begins, followed_by, in_code }),
    confidence,
    examples: proofs.map((proof, index) => exampleOf(proof, { hasSentence: index === 0 && !isBare })),
    untouched: proofs.slice(0, 1).map(({ sample }) => ({
      name: "the same call of a tool that the request does not offer",
      offered: ["another_tool"],
      input: sample.text,
    })),
  };
  return `# yaml-language-server: $schema=${schema}\n${stringify(fields, { lineWidth: 0 })}`;
}

/** A sentence before the call shows that the text stays. */
const SENTENCE = "I'll do that now.\n";

function exampleOf(
  { name, sample, text }: Proof,
  { hasSentence }: { readonly hasSentence: boolean },
): unknown {
  return {
    name,
    offered: offeredBy(sample),
    input: (hasSentence ? SENTENCE : "") + sample.text,
    ...present({ text: hasSentence ? SENTENCE : text }),
    calls: sample.calls.map(({ tool, arguments: given }) => ({ tool, arguments: given })),
  };
}

/** Every tool of a sample, with a type for each of its arguments. */
export function offeredBy({ calls }: Sample): Record<string, Record<string, string>> {
  const tools: Record<string, Record<string, string>> = {};
  for (const { tool, arguments: given } of calls) {
    const parameters = tools[tool] ??= {};
    for (const [key, value] of Object.entries(given)) parameters[key] = typeName(value);
  }
  return tools;
}
