/** The engine of the playground: the command line's modules without files and plugins, in a worker or in a test. @module */
import type { PlaygroundSetup } from "../../routes/playground.ts";
import { parseCapture } from "../../../analysis/replay/capture.ts";
import type {
  AnswerRequest,
  Answers,
  Choice,
  Choices,
  Derived,
  ExampleResult,
  ExampleResults,
  Kind,
  Opened,
  Problem,
  Questions,
  RuleCheck,
} from "./protocol.ts";
import { Sources } from "./sources.ts";
import { chooseClient, traceAnswer } from "./trace.ts";
import { deriveFromAnswers } from "../../../analysis/derive/from_answers.ts";
import type { OfferedTool, OfferedTools } from "../../../engine/tool/offered.ts";
import { writeJsonSchema } from "../../../engine/document/json_schema.ts";
import { fieldAt, type Path, type Schema } from "../../../engine/document/field.ts";
import { type Rule, ruleFileSchema } from "../../../engine/rule/schema.ts";
import { diagnosticToJson } from "../../../engine/diagnostic/print.ts";
import { type CaseResult, runCases } from "../../../engine/rule/examples.ts";
import { checkWithoutExamples } from "../../../engine/rule/check.ts";
import type { LoadedRules } from "../../../engine/rule/read.ts";
import { proveSpeech } from "../../../chat/prompt/proof.ts";

/** The work on a question, in steps; a newer question of the same kind can end it after each. */
export type Steps<K extends Kind> = Generator<undefined, Answers[K]>;

export class Engine {
  readonly #sources: Sources;

  constructor(setup: PlaygroundSetup) {
    this.#sources = new Sources(setup);
  }

  begin<K extends Kind>(kind: K, question: Questions[K]): Steps<K> {
    return WORK[kind](question, this.#sources);
  }

  answer<K extends Kind>(kind: K, question: Questions[K]): Answers[K] {
    const work = this.begin(kind, question);
    for (let step = work.next();; step = work.next()) if (step.done) return step.value;
  }
}

const WORK: { readonly [K in Kind]: (question: Questions[K], sources: Sources) => Steps<K> } = {
  open: inOneStep(({ text }) => openAnswer(text)),
  complete: inOneStep(({ path, isValue }) => choicesAt(path, isValue)),
  trace: inOneStep(traceAnswer),
  check: inOneStep(({ rule }, sources) => checkRule(rule, sources)),
  examples: ({ rule }, sources) => runRuleExamples(rule, sources),
  derive: inOneStep(deriveRule),
};

function inOneStep<K extends Kind>(
  answer: (question: Questions[K], sources: Sources) => Answers[K],
): (question: Questions[K], sources: Sources) => Steps<K> {
  // deno-lint-ignore require-yield -- there is nothing to stop between two steps
  return function* (question, sources) {
    return answer(question, sources);
  };
}

/** The parts of a capture; of any other text only the text. */
function openAnswer(text: string): Opened {
  const capture = parseCapture(text);
  if (capture === undefined) return { text };
  const { tools, system, client } = capture;
  const request = tools.length > 0 ? { tools } : { messages: [{ role: "system", content: system ?? "" }] };
  return { text: capture.text, client, tools: JSON.stringify(request, null, 2) };
}

/** Where the description of the rule states that it comes from. */
const ORIGIN = "the model";

/** Derives rules from an answer; the edited rule plays no part. */
function deriveRule(asked: AnswerRequest & { readonly name: string }, sources: Sources): Derived | Problem {
  const rules = sources.read("");
  const chosen = chooseClient(sources, { asked, rules });
  if ("problem" in chosen) return chosen;
  const tools = toolsOf(chosen.translator.offered);
  if (tools.length === 0) {
    return {
      problem: "The offered tools are unknown, so calls can't be recognized",
      help: "specify the tools and their parameters",
    };
  }
  return {
    derivations: deriveFromAnswers([{ text: asked.text, tools }], {
      name: asked.name,
      origin: ORIGIN,
      shipped: sources.files,
      known: rules.loaded.rules,
      schema: sources.setup.schema,
    }),
  };
}

/** Every tool under each of its names. */
function toolsOf(offered: OfferedTools | undefined): OfferedTool[] {
  return (offered?.spellings ?? offered?.names ?? []).flatMap((name) => {
    const tool = offered?.resolve(name);
    return tool === undefined ? [] : [{ ...tool, name }];
  });
}

let schema: Schema | undefined;

/** What can be written at a place of a rule: the keys of a mapping, or the values of a field, as the schema states them. */
export function choicesAt(path: Path, isValue: boolean): Choices {
  schema ??= JSON.parse(writeJsonSchema(ruleFileSchema, { title: "rule" })) as Schema;
  const root = schema;
  const field = fieldAt(root, path);
  if (isValue) {
    const values = field.expected === "true or false" ? ["true", "false"] : field.values;
    return { choices: values.map((label) => ({ label, detail: "", description: field.description ?? "" })) };
  }
  const keys = [...new Set(field.keys)];
  return {
    choices: keys.map((label): Choice => {
      const { expected, description = "" } = fieldAt(root, [...path, label]);
      return { label, detail: expected, description };
    }),
  };
}

/** What is wrong with a rule, apart from its examples. */
function checkRule(text: string, sources: Sources): RuleCheck {
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
function* runRuleExamples(text: string, sources: Sources): Generator<undefined, ExampleResults> {
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
