/**
 * A rule from texts with their calls: written, proved, or refused with the reason. `from_template.ts` and `from_answers.ts`
 * give the texts.
 *
 * @module
 */
import type { Diagnostic } from "../../engine/diagnostic/diagnostic.ts";
import type { Rule } from "../../engine/rule/schema.ts";
import type { TextFile } from "../../engine/document/text_file.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { draftRule, isRefusal, OPEN_END, type RuleDraft } from "./draft.ts";
import { noSettings, readRules } from "../../engine/rule/read.ts";
import { proveAnswer } from "./answer_proof.ts";
import { hostileProblem } from "./hostile_values.ts";
import { otherValues } from "./other_values.ts";
import { checkRuleFile, ruleThatReads } from "./proof.ts";
import { type Proof, type RuleFileParts, writeRuleFile } from "./rule_file.ts";
import type { MarkedText, Sample, SampleCall } from "./sample.ts";
import { variantsOf } from "./variant.ts";

/** A derived rule has no more examples than these. */
const PROOFS_MAXIMUM = 8;

export type Derivation =
  | DerivedRule & {
    /** A rule, proved by its own examples. */
    readonly kind: "rule";
    /** What the rule reads from the recorded answers; empty if it is derived from a template. */
    readonly reads: readonly SampleCall[];
    /** Whether a recorded answer shows its call in a quotation, such as a fence. */
    readonly isQuoted: boolean;
    /** Rules for other forms of the same calls. */
    readonly variants: readonly DerivedRule[];
  }
  | {
    /** A rule that exists reads all of it. */
    readonly kind: "known";
    readonly rule: string;
  }
  | {
    readonly kind: "refused";
    readonly why: string;
    /** What the examples of the rule gave, where one was written and failed. */
    readonly diagnostics: readonly Diagnostic[];
  };

export interface DerivedRule {
  readonly name: string;
  readonly text: string;
  readonly exampleCount: number;
  /** Whether the rule is off, because nothing but the calls themselves marks them. */
  readonly isOff: boolean;
}

/** What a derivation needs to know. */
export interface DeriveOptions {
  readonly name: string;
  /** What the rule is derived from, for its description. */
  readonly origin: string;
  readonly shipped: readonly TextFile[];
  /** The same rules, read: one that reads everything is named instead of a new one. If empty, none is. */
  readonly known: readonly Rule[];
  /** The schema of rule files, seen from the new file. */
  readonly schema: string;
}

/** Proofs of what the texts show, with other values. */
export function proofsOf(learned: readonly MarkedText[]): Proof[] {
  return distinctProofs(
    learned.map((one) => ({ name: "a recorded call with different values", sample: otherValues(one) })),
  );
}

/** The examples of a rule show each shape once. */
function distinctProofs(proofs: readonly Proof[]): Proof[] {
  const kept = new Map(proofs.map((proof) => [proof.sample.text, proof]));
  return [...kept.values()].slice(0, PROOFS_MAXIMUM).map(({ name, sample }, index) => ({
    name: index === 0 ? name : `${name}, ${index + 1}`,
    sample,
  }));
}

/** What a derivation needs besides the texts. */
interface ProvedOptions extends DeriveOptions {
  /** Texts that the rule has to read exactly. */
  readonly proofs: readonly Proof[];
  /** Fields of the rule that the source states. */
  readonly fields?: Pick<RuleDraft, "json">;
  /** Special tokens that can precede a call, from a template. Answers show the forms that the model writes. */
  readonly tokens?: readonly string[];
}

/** A rule for marked texts, proved by others. */
export function deriveFrom(
  learned: readonly MarkedText[],
  options: ProvedOptions,
): Derivation {
  const { known, proofs } = options;
  const samples = proofs.map(({ sample }) => sample);
  const rule = ruleThatReads(samples, known.filter(({ enabled }) => enabled));
  if (rule !== undefined && readsAnswers(learned, { rule, known })) return { kind: "known", rule };
  const derived = newRule(learned, options);
  // A rule that is off reads more than this dialect, or nothing but a person can tell its calls from data.
  const off = derived.kind === "refused"
    ? ruleThatReads(samples, known.filter(({ enabled }) => !enabled))
    : undefined;
  return off !== undefined && readsAnswers(learned, { rule: off, known })
    ? { kind: "known", rule: off }
    : derived;
}

/** Whether the recorded answers themselves are read, as a proxy with all rules that are on reads them. */
export function readsAnswers(
  learned: readonly MarkedText[],
  { rule, known }: { readonly rule: string; readonly known: readonly Rule[] },
): boolean {
  const rules = known.filter((one) => one.enabled || one.rule === rule);
  return learned.every((marked) =>
    marked.tools === undefined || !("why" in proveMarked(marked, { rules, name: rule, tools: marked.tools }))
  );
}

function newRule(learned: readonly MarkedText[], options: ProvedOptions): Derivation {
  const { name, origin, shipped, schema, proofs, tokens } = options;
  if (learned.length === 0) {
    return refused("The template's output doesn't contain the calls that it was given");
  }
  const inferred = draftRule(learned);
  if (isRefusal(inferred)) return refused(withPlace(inferred.why, learned[0]!));
  const draft = { ...inferred, ...options.fields };
  const file = (parts: Pick<RuleFileParts, "name" | "draft" | "proofs">): DerivedRule => ({
    name: parts.name,
    text: writeRuleFile({ ...parts, description: `Calls as ${origin} writes them`, schema }),
    exampleCount: parts.proofs.length + 1,
    isOff: parts.draft.isBare === true,
  });
  const end = turnEnd(draft);
  const own = proofs.map((proof) => ({ ...proof, sample: withoutEnd(proof.sample, end) }));
  const drafted = file({ name, draft, proofs: own });
  const recorded = recordedProofs(learned, { name, text: drafted.text, shipped });
  if ("why" in recorded) return refused(withPlace(isOpen(draft) ? OPEN_END : recorded.why, learned[0]!));
  const rule = file({ name, draft, proofs: [...recorded.slice(0, PROOFS_MAXIMUM), ...own] });
  const written = { file: `${name}.yaml`, text: rule.text };
  const diagnostics = checkRuleFile(written, shipped);
  if (diagnostics.length > 0) {
    const why = "A rule was found, but it does not read its own examples. " +
      "Next: derive from an answer with shorter values, or write the rule by hand (rules/writing_rules.md)";
    return { ...refused(why), diagnostics };
  }
  const variants = (tokens === undefined ? [] : variantsOf(draft, tokens))
    .map(({ suffix, draft, proof }) => file({ name: `${name}_${suffix}`, draft, proofs: [proof] }))
    .filter((one) =>
      checkRuleFile({ file: `${one.name}.yaml`, text: one.text }, [...shipped, written]).length === 0
    );
  const reads = recorded.flatMap(({ sample }) => sample.calls);
  return { kind: "rule", ...rule, variants, reads, isQuoted: learned.some(isInFence) };
}

/** A reason with the place that it is about, which is next to the name or after the last value. */
function withPlace(why: string, { text, answer = text, calls }: MarkedText): string {
  const start = Math.max(0, answer.indexOf(text));
  const [first] = calls;
  const last = calls.at(-1)!;
  const end = last.items.at(-1)?.value.end ?? last.object?.end ?? last.name.end;
  const around = why === OPEN_END
    ? answer.slice(Math.max(0, start + end - PLACE), start + end + PLACE)
    : answer.slice(Math.max(0, start + first!.name.start - PLACE), start + first!.name.end + PLACE);
  const [reason = "", ...next] = why.split(/(?=\. Next: )/);
  return /"|fit the schema/.test(reason)
    ? why
    : [`${reason}, at ${JSON.stringify(around.trim())}`, ...next].join("");
}

/** How much of the text a reason shows on each side of a place. */
const PLACE = 24;

/** Whether no mark ends a call. */
function isOpen({ delimiters, body }: RuleDraft): boolean {
  return body === "tagged" && delimiters !== undefined &&
    (delimiters.closer + delimiters.wrapperCloser).trim() === "";
}

/** A longer answer is an example without the text around its calls. */
const EXAMPLE_MAXIMUM = 4_000;

/** Whether the calls of an answer are in a fence, which is often documentation. */
function isInFence({ answer, text }: MarkedText): boolean {
  const before = answer?.slice(0, answer.indexOf(text)) ?? "";
  return (before + text.slice(0, 3)).split(/^ {0,3}(?:```|~~~)/m).length % 2 === 0;
}

/** Proves a rule by a recorded answer, as a whole; a call in a fence, which quotes it, is read without the fence. */
export function proveMarked(
  marked: MarkedText,
  { rules, name, tools }: {
    readonly rules: readonly Rule[];
    readonly name: string;
    readonly tools: readonly OfferedTool[];
  },
): ReturnType<typeof proveAnswer> {
  const { text, answer = text } = marked;
  const own = rules.map((rule) => rule.rule === name ? { ...rule, enabled: true } : rule);
  return proveAnswer(marked, { text: isInFence(marked) ? text : answer, rules: own, tools });
}

/** The recorded answers with what the rule reads from them; the reason if that proves nothing. */
function recordedProofs(
  learned: readonly MarkedText[],
  { name, text, shipped }: { name: string; text: string; shipped: readonly TextFile[] },
): readonly Proof[] | { readonly why: string } {
  const { rules } = readRules([shipped, [{ file: `${name}.yaml`, text }]], noSettings);
  const own = rules.filter(({ body, enabled, rule }) => rule === name || (body === "opaque" && enabled));
  const proofs: Proof[] = [];
  for (const marked of learned) {
    if (marked.tools === undefined) continue;
    const { tools, answer = marked.text } = marked;
    const proving = { rules: own, name, tools };
    const read = proveMarked(marked, proving);
    if ("why" in read) return read;
    const problem = hostileProblem(marked, proving);
    if (problem !== undefined) return { why: problem };
    const isQuoted = isInFence(marked);
    const isShort = !isQuoted && answer.length <= EXAMPLE_MAXIMUM;
    const kept = isShort || isQuoted ? read : proveMarked({ ...marked, answer: marked.text }, proving);
    if ("why" in kept) return kept;
    proofs.push({
      name: proofs.length === 0 ? "the recorded answer" : `the recorded answer, ${proofs.length + 1}`,
      sample: { text: isShort ? answer : marked.text, calls: kept.calls, ids: [] },
      text: kept.text,
      tools,
    });
  }
  return proofs;
}

/** A mark after the last call that no mark before the first one belongs to ends the turn. */
function turnEnd({ delimiters }: RuleDraft): string {
  return delimiters?.wrapperOpener === "" ? delimiters.wrapperCloser : "";
}

function withoutEnd(sample: Sample, end: string): Sample {
  const text = sample.text.trimEnd();
  return end !== "" && text.endsWith(end) ? { ...sample, text: text.slice(0, -end.length) } : sample;
}

const NEXT = "Next: write the rule by hand (rules/writing_rules.md)";

/** No rule, for a reason, with the next step. */
export function refused(why: string): Derivation & { kind: "refused" } {
  const next = why.includes("Next: ") ? "" : `. ${NEXT}`;
  return { kind: "refused", why: why + next, diagnostics: [] };
}
