/**
 * Rules from recorded answers, in which the names of the offered tools and of their parameters show the calls.
 *
 * @module
 */
import type { TextFile } from "../../engine/document/text_file.ts";
import { noSettings, readRules } from "../../engine/rule/read.ts";
import type { OfferedTool } from "../../engine/tool/offered.ts";
import { markAnswer } from "./answer.ts";
import {
  type Derivation,
  deriveFrom,
  type DeriveOptions,
  proofsOf,
  proveMarked,
  readsAnswers,
  refused,
} from "./derive.ts";
import { knownTools, words } from "./known_tool.ts";

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
  if (rest.length === 0) return [refused(whyNone(answers))];
  while (rest.length > 0) {
    const name = found.length === 0 ? options.name : `${options.name}_${found.length + 1}`;
    const derivation = bestDerivation(rest, { ...options, name });
    if (derivation.kind === "refused") return [unread(derivation, { answers, rest })];
    found.push(derivation);
    if (derivation.kind === "known") {
      const left = rest.filter((answer) => !isKnown(answer, { rule: derivation.rule, known: options.known }));
      if (left.length === rest.length) return found;
      rest = left;
      continue;
    }
    const read = readAnswers(derivation.text, { answers: rest, name, shipped: options.shipped });
    if (read.size === 0) return [refused("The rule doesn't read every call in the recorded answers")];
    rest = rest.filter((answer) => !read.has(answer));
  }
  return found;
}

/** Whether a rule reads an answer. */
function isKnown(
  { text, tools }: RecordedAnswer,
  reading: Parameters<typeof readsAnswers>[1],
): boolean {
  const marked = markAnswer(text, tools);
  return marked !== undefined && readsAnswers([marked], reading);
}

/** Why nothing is written: rules that read a part of the answers would hide that they don't read the rest. */
function unread(
  derivation: Derivation & { kind: "refused" },
  { answers, rest }: {
    readonly answers: readonly RecordedAnswer[];
    readonly rest: readonly RecordedAnswer[];
  },
): Derivation {
  if (rest.length === answers.length) return derivation;
  const places = rest.map((answer) => answers.indexOf(answer) + 1).join(", ");
  return {
    ...derivation,
    why: `A rule from the other answers doesn't read ${
      rest.length === 1 ? "answer" : "the answers"
    } ${places} of ${answers.length}, so it wasn't saved. For ${places}: ${derivation.why}`,
  };
}

/** Why no call is seen in the answers, and the next step. */
function whyNone(answers: readonly RecordedAnswer[]): string {
  const known = answers.map(({ text, tools }) => ({ text, tools: knownTools(tools) }));
  if (known.every(({ tools }) => tools.length === 0)) {
    return "The offered tools are unknown, so calls can't be recognized. Next: specify them with `--tools`";
  }
  const named = known.flatMap(({ text, tools }) =>
    tools.filter(({ name }) => words(text, name).length > 0).map((tool) => ({ text, tool }))
  );
  const [first] = named;
  if (first === undefined) {
    return "The answers don't name any offered tool. Next: use an answer that calls one of the tools that the " +
      "request offered";
  }
  const after = named.find(({ text, tool }) => {
    const keys = tool.keys.flatMap((key) => words(text, key));
    return keys.length > 0 && Math.max(...keys) < Math.min(...words(text, tool.name));
  });
  if (after !== undefined) {
    return `The tool name ${after.tool.name} comes after its parameters, but a rule needs the name before them. Next: ask ` +
      "the model in its prompt for the name first, and derive from such an answer";
  }
  const given =
    named.flatMap(({ text, tool }) =>
      tool.keys.flatMap((key) =>
        words(text, key).map((at) => ({ tool, place: text.slice(at, at + key.length + 12) }))
      )
    )[0];
  if (given === undefined) {
    return `The answers contain the tool ${first.tool.name}, but none of its parameters. Next: use an answer whose ` +
      "call names the parameters";
  }
  const place = JSON.stringify(given.place);
  return `The answers contain the tool ${given.tool.name} and its parameters, but no delimiters that show where a value begins ` +
    `and ends, such as at ${place}. Next: in the prompt, ask the model to put a symbol before each parameter or after its ` +
    "name, such as `@path = a`, and derive from such an answer, or write the rule by hand (rules/writing_rules.md)";
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
  const own = rules.filter(({ body, enabled, rule }) => rule === name || (body === "opaque" && enabled));
  return new Set(answers.filter((answer) => {
    const marked = markAnswer(answer.text, answer.tools);
    return marked !== undefined && !("why" in proveMarked(marked, { rules: own, name, tools: answer.tools }));
  }));
}
