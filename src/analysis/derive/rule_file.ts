/**
 * A derived rule as the text of a rule file, with examples that prove it.
 *
 * @module
 */
import { stringify } from "yaml";
import { present } from "../../engine/object/present.ts";
import { isRecord } from "../../engine/object/record.ts";
import { TYPE_NAMES } from "../../engine/rule/offer.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { requiredParameters } from "../../engine/tool/schema.ts";
import type { RuleDraft } from "./draft.ts";
import type { Sample } from "./sample.ts";
import { typeName } from "./type_name.ts";

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
  readonly text?: string;
  /** The tools of a recorded answer, whose text is unchanged. */
  readonly tools?: readonly OfferedTool[];
}

export function writeRuleFile({ name, description, draft, proofs, schema }: RuleFileParts): string {
  const { pattern, body, json, tagged, envelope, keys, begins, followed_by, in_code, isBare, confidence } =
    draft;
  const fields = {
    rule: name,
    description,
    ...(isBare ? { enabled: false } : {}),
    pattern,
    body,
    ...present({ json, tagged, envelope, keys, begins, followed_by, in_code }),
    confidence,
    examples: proofs.map((proof, index) =>
      exampleOf(proof, { hasSentence: isFirstInvented(proofs, index) && !isBare })
    ),
    untouched: proofs.slice(0, 1).map(({ sample }) => ({
      name: "the same call to a tool that the request does not offer",
      offered: ["another_tool"],
      input: sample.text,
    })),
  };
  const notes = NOTES.filter(([part]) =>
    [pattern, tagged?.item ?? ""].flat().some((text) => text.includes(part))
  )
    .map(([_, note]) => `# ${note}\n`).join("");
  return `# yaml-language-server: $schema=${schema}\n${notes}${stringify(fields, { lineWidth: 0 })}`;
}

/** What the longer parts of a pattern mean, for the person who reads the file. */
const NOTES: readonly (readonly [part: string, note: string])[] = [
  [
    "…",
    "Patterns: the sign … is where the call's body or a value is; {tool} is the name of an offered tool.",
  ],
  [
    "(?:\\\\n)?\\s*",
    "(?:\\\\n)?\\s* matches a line break, including one that a model prints as a backslash and an n.",
  ],
  [
    "[^\\s:=~|<>",
    "The long class in (?<key>) is a parameter's name: no whitespace, brackets, quotes or signs that separate.",
  ],
];

/** The first example other than a recorded answer. */
function isFirstInvented(proofs: readonly Proof[], index: number): boolean {
  return index === proofs.findIndex(({ tools }) => tools === undefined);
}

/** A sentence before the call shows that the text stays. */
const SENTENCE = "I'll do that now.\n";

function exampleOf(
  { name, sample, text, tools }: Proof,
  { hasSentence }: { readonly hasSentence: boolean },
): unknown {
  return {
    name,
    offered: tools === undefined ? offeredBy(sample) : schemasOf(sample, tools),
    input: (hasSentence ? SENTENCE : "") + sample.text,
    ...present({ text: hasSentence ? SENTENCE : text }),
    calls: sample.calls.map(({ tool, arguments: given }) => ({ tool, arguments: given })),
  };
}

/** The parameters of the tools that a recorded answer calls, as they were offered. */
function schemasOf(
  { calls }: Sample,
  tools: readonly OfferedTool[],
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(calls.map(({ tool }) => {
    const schema = tools.find(({ name }) => name === tool)?.schema;
    const properties = isRecord(schema) && isRecord(schema["properties"]) ? schema["properties"] : {};
    const required = requiredParameters(schema);
    const parameters = Object.entries(properties).map(([key, declared]) => [
      key,
      shortType(declared, required.includes(key)),
    ]);
    return [tool, Object.fromEntries(parameters)];
  }));
}

function shortType(declared: unknown, isRequired: boolean): unknown {
  const type = isRecord(declared) ? declared["type"] : undefined;
  const isPlain = typeof type === "string" && TYPE_NAMES.includes(type);
  return isPlain ? `${type}${isRequired ? "" : "?"}` : declared;
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
