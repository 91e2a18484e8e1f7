/** Checks an edited rule as `dragoman check` does: its errors first, then its examples. @module */
import { diagnosticToJson } from "../../../engine/diagnostic/print.ts";
import { type CaseResult, runCases } from "../../../engine/rule/examples.ts";
import { checkWithoutExamples } from "../../../engine/rule/check.ts";
import type { Rule } from "../../../engine/rule/schema.ts";
import type { LoadedRules } from "../../../engine/rule/read.ts";
import { proveSpeech } from "../../../chat/prompt/proof.ts";
import type { ExampleResult, ExampleResults, RuleCheck } from "./protocol.ts";
import type { Sources } from "./sources.ts";

/** What is wrong with a rule, apart from its examples. */
export function checkRule(text: string, sources: Sources): RuleCheck {
  const { loaded, name, diagnostics: errors, isUsed } = sources.read(text);
  const diagnostics = isUsed
    ? checkWithoutExamples(loaded, {
      isTarget: ({ rule }) => loaded.fileOf(rule) === loaded.fileOf(name),
      isBuiltIn: () => false,
      diagnostics: errors,
      prove: proveSpeech,
    })
    : errors;
  return {
    name,
    replaces: name !== "" && sources.read("").loaded.fileOf(name) !== undefined,
    diagnostics: diagnostics.map(diagnosticToJson),
  };
}

/** Runs the examples of a rule and its forms, one at each step. */
export function* runRuleExamples(text: string, sources: Sources): Generator<undefined, ExampleResults> {
  const { loaded, name, isUsed } = sources.read(text);
  const file = loaded.fileOf(name);
  const rules = isUsed && file !== undefined
    ? loaded.rules.filter(({ rule }) => loaded.fileOf(rule) === file)
    : [];
  const results: ExampleResult[] = [];
  if (rules.length === 0) return { results, isReadable: false };
  for (const result of casesOf(rules, loaded)) {
    results.push(exampleResult(result, loaded));
    yield;
  }
  return { results, isReadable: true };
}

function* casesOf(rules: readonly Rule[], loaded: LoadedRules): Generator<CaseResult> {
  for (const rule of rules) yield* runCases(rule, loaded);
}

function exampleResult({ example, failure, diagnostics }: CaseResult, loaded: LoadedRules): ExampleResult {
  const { name, kind, index, rule, expected } = example;
  return {
    name,
    kind,
    line: loaded.locate(rule, [kind, index, "name"])?.line ?? 1,
    expected,
    ...(failure === undefined ? {} : {
      failure: { ...failure.got, how: `${failure.how} ${failure.company}` },
    }),
    errors: diagnostics.filter(({ code }) => code !== "example_failed" && code !== "untouched_changed")
      .map(({ message, help }) => help === undefined ? message : `${message}: ${help}`),
  };
}
