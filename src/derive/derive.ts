/**
 * A rule from a chat template, from recorded answers, or from both: written, proved, or refused with the reason.
 *
 * @module
 */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import type { Rule } from "../rule/schema.ts";
import type { TextFile } from "../document/load.ts";
import { noSettings, readRules } from "../rule/read.ts";
import { compileRules } from "../rule/compile.ts";
import { markAnswer } from "./answer.ts";
import { draftRule, isRefusal, type RuleDraft } from "./draft.ts";
import { offer, type OfferedTool } from "../tool/offered.ts";
import { markSample } from "./mark.ts";
import { otherValues } from "./other_values.ts";
import { TemplateProbe } from "./probe.ts";
import { LEARNING, type ProbeCalls, PROVING } from "./probe_calls.ts";
import { checkRuleFile, readCalls, ruleThatReads } from "./proof.ts";
import { type Proof, type RuleFileParts, writeRuleFile } from "./rule_file.ts";
import type { MarkedText, Sample } from "./sample.ts";
import type { ChatTemplate } from "./template.ts";
import { variantsOf } from "./variant.ts";

/** A derived rule has no more examples than these. */
const PROOFS_MAXIMUM = 8;

/** The result. */
export type Derivation =
  | DerivedRule & {
    /** A rule, proved by its own examples. */
    readonly kind: "rule";
    /** Rules for other forms of the same calls. */
    readonly variants: readonly DerivedRule[];
  }
  | {
    /** A rule that exists reads all of it. */
    readonly kind: "known";
    readonly rule: string;
  }
  | {
    /** No rule. */
    readonly kind: "refused";
    readonly why: string;
    /** What the examples of the rule gave, where one was written and failed. */
    readonly diagnostics: readonly Diagnostic[];
  };

/** A rule's file. */
export interface DerivedRule {
  /** The rule's name. */
  readonly name: string;
  readonly text: string;
  readonly exampleCount: number;
  /** Whether the rule is off, because nothing but the calls themselves marks them. */
  readonly isOff: boolean;
}

/** What a derivation needs to know. */
export interface DeriveOptions {
  /** The rule's name. */
  readonly name: string;
  /** What the rule is derived from, for its description. */
  readonly origin: string;
  /** The files of the existing rules. */
  readonly shipped: readonly TextFile[];
  /** The same rules, read: one that reads everything is named instead of a new one. If empty, none is. */
  readonly known: readonly Rule[];
  /** The schema of rule files, seen from the new file. */
  readonly schema: string;
}

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

/** An answer that a model gave, with the tools that it was offered. */
export interface RecordedAnswer {
  readonly text: string;
  readonly tools: readonly OfferedTool[];
}

/**
 * Rules for what a model printed: one for each notation in the answers. Where answers disagree, the reading that
 * fits the most of them counts.
 */
export function deriveFromAnswers(answers: readonly RecordedAnswer[], options: DeriveOptions): Derivation[] {
  const found: Derivation[] = [];
  let rest = answers.filter(({ text, tools }) => markAnswer(text, tools) !== undefined);
  if (rest.length === 0) return [refused("The answers contain no offered tool with one of its parameters")];
  while (rest.length > 0) {
    const name = found.length === 0 ? options.name : `${options.name}_${found.length + 1}`;
    const derivation = bestDerivation(rest, { ...options, name });
    if (derivation.kind === "refused" && found.length > 0) return found;
    found.push(derivation);
    if (derivation.kind !== "rule") return found;
    const read = readAnswers(derivation.text, { answers: rest, name, shipped: options.shipped });
    if (read.size === 0) return found;
    rest = rest.filter((answer) => !read.has(answer));
  }
  return found;
}

/** All answers together, then each alone: the rule that reads the most of them. */
function bestDerivation(answers: readonly RecordedAnswer[], options: DeriveOptions): Derivation {
  const marked = answers.flatMap(({ text, tools }) => markAnswer(text, tools) ?? []);
  const groups = marked.length === 1 ? [marked] : [marked, ...marked.map((one) => [one])];
  let best: { readonly derivation: Derivation; readonly count: number } | undefined;
  for (const learned of groups) {
    const derivation = deriveFrom(learned, { ...options, proofs: proofsOf(learned) });
    if (derivation.kind === "known") return derivation;
    const count = derivation.kind === "rule"
      ? readAnswers(derivation.text, { answers, name: options.name, shipped: options.shipped }).size
      : -1;
    if (best === undefined || count > best.count) best = { derivation, count };
    if (count === answers.length) break;
  }
  return best!.derivation;
}

/** The answers in which a rule finds as many calls as they seem to have. */
function readAnswers(
  text: string,
  { answers, name, shipped }: {
    readonly answers: readonly RecordedAnswer[];
    readonly name: string;
    readonly shipped: readonly TextFile[];
  },
): ReadonlySet<RecordedAnswer> {
  const { rules } = readRules([shipped, [{ file: `${name}.yaml`, text }]], noSettings);
  const { program } = compileRules(
    rules.filter(({ body, enabled, rule }) => rule === name || (body === "opaque" && enabled)),
  );
  return new Set(answers.filter((answer) => {
    const wanted = markAnswer(answer.text, answer.tools)?.calls.length;
    return readCalls(answer.text, { program, offered: offer(answer.tools) }).calls.length === wanted;
  }));
}

function proofsOf(learned: readonly MarkedText[]): Proof[] {
  return distinctProofs(
    learned.map((one) => ({ name: "a recorded call with other values", sample: otherValues(one) })),
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

interface ProvedOptions extends DeriveOptions {
  readonly proofs: readonly Proof[];
  /** Special tokens that can precede a call, from a template. Answers show the forms that the model writes. */
  readonly tokens?: readonly string[];
}

/** A rule for marked texts, proved by others. */
function deriveFrom(
  learned: readonly MarkedText[],
  options: ProvedOptions,
): Derivation {
  const { known, proofs } = options;
  const samples = proofs.map(({ sample }) => sample);
  const rule = ruleThatReads(samples, known.filter(({ enabled }) => enabled));
  if (rule !== undefined) return { kind: "known", rule };
  const derived = newRule(learned, options);
  // A rule that is off reads more than this dialect, or nothing but a person can tell its calls from data.
  const off = derived.kind === "refused"
    ? ruleThatReads(samples, known.filter(({ enabled }) => !enabled))
    : undefined;
  return off === undefined ? derived : { kind: "known", rule: off };
}

function newRule(learned: readonly MarkedText[], options: ProvedOptions): Derivation {
  const { name, origin, shipped, schema, proofs, tokens } = options;
  if (learned.length === 0) return refused("The calls were not found again in what was written");
  const draft = draftRule(learned);
  if (isRefusal(draft)) return refused(draft.why);
  const file = (parts: Pick<RuleFileParts, "name" | "draft" | "proofs">): DerivedRule => ({
    name: parts.name,
    text: writeRuleFile({ ...parts, description: `Calls as ${origin} writes them`, schema }),
    exampleCount: parts.proofs.length + 1,
    isOff: parts.draft.isBare === true,
  });
  const end = turnEnd(draft);
  const own = proofs.map((proof) => ({ ...proof, sample: withoutEnd(proof.sample, end) }));
  const rule = file({ name, draft, proofs: own });
  const written = { file: `${name}.yaml`, text: rule.text };
  const diagnostics = checkRuleFile(written, shipped);
  if (diagnostics.length > 0) {
    return { ...refused("A rule was found, but it does not read its own examples"), diagnostics };
  }
  const variants = (tokens === undefined ? [] : variantsOf(draft, tokens))
    .map(({ suffix, draft, proof }) => file({ name: `${name}_${suffix}`, draft, proofs: [proof] }))
    .filter((one) =>
      checkRuleFile({ file: `${one.name}.yaml`, text: one.text }, [...shipped, written]).length === 0
    );
  return { kind: "rule", ...rule, variants };
}

/** A mark after the last call that no mark before the first one belongs to ends the turn. */
function turnEnd({ frame }: RuleDraft): string {
  return frame?.wrapperOpener === "" ? frame.wrapperCloser : "";
}

function withoutEnd(sample: Sample, end: string): Sample {
  const text = sample.text.trimEnd();
  return end !== "" && text.endsWith(end) ? { ...sample, text: text.slice(0, -end.length) } : sample;
}

function refused(why: string): Derivation & { kind: "refused" } {
  return { kind: "refused", why, diagnostics: [] };
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
