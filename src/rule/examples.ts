/**
 * Runs the examples of rules: they are the tests of a rule, wherever it came from. In: rules. Out: how many cases
 * ran and a diagnostic for each that gives something else than it says. Each case runs whole, one character at a
 * time and cut at every place, first with its rule alone, then with all rules that are on.
 *
 * @module
 */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { didYouMeanOneOf } from "../diagnostic/suggest.ts";
import type { ContentEvent } from "../event/event.ts";
import { present } from "../object/present.ts";
import { collect, textAnswer } from "../event/stage.ts";
import { Matcher } from "../scan/matcher.ts";
import type { Program } from "../scan/program.ts";
import type { OfferedTools } from "../tool/offered.ts";
import { compileRules } from "./compile.ts";
import { isJsonEqual } from "../json/equal.ts";
import { readOffer, TYPE_NAMES } from "./offer.ts";
import type { LoadedRules } from "./read.ts";
import type { Rule } from "./schema.ts";

/** What came of the examples. */
export interface ExampleReport {
  /** How many cases ran, of `examples` and `untouched` together. */
  readonly count: number;
  /** One diagnostic for each case that failed. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Which examples to run. */
export interface ExampleOptions {
  /** Whether to run those of this rule; default: of every rule. */
  readonly only?: (rule: Rule) => boolean;
}

interface Call {
  readonly tool: string;
  readonly arguments: unknown;
}

/** What an answer came to. */
interface Outcome {
  readonly text: string;
  readonly calls: readonly Call[];
  /** Decisions and repairs, for a person: `unknown_tool (rule hermes)`. */
  readonly decisions: readonly string[];
}

/** One case of a rule, of either kind. */
interface Case {
  readonly rule: string;
  readonly kind: "examples" | "untouched";
  readonly index: number;
  readonly name: string;
  readonly input: string;
  readonly offered: OfferedTools;
  readonly expected: Pick<Outcome, "text" | "calls">;
}

/** One way to feed an answer. */
interface Feeding {
  readonly how: string;
  readonly pieces: readonly string[];
}

/** Runs the examples and the untouched cases of rules; rules that are off are switched on for their own. */
export function runExamples(loaded: LoadedRules, options: ExampleOptions = {}): ExampleReport {
  const rules = loaded.rules.filter((rule) => options.only?.(rule) ?? true);
  const diagnostics: Diagnostic[] = [];
  let count = 0;
  for (const rule of rules) {
    const programs = programsFor(rule, loaded);
    for (const { example, mistakes } of casesOf(rule, loaded)) {
      count++;
      const failure = programs.map((program) => runCase(example, program)).find((found) =>
        found !== undefined
      );
      diagnostics.push(...mistakes, ...(failure === undefined ? [] : [failureDiagnostic(failure, loaded)]));
    }
  }
  return { count, diagnostics };
}

interface NamedProgram {
  readonly program: Program;
  readonly company: string;
}

/** The rule alone with the opaque rules, then with all that are on. A group's calls are those of other rules. */
function programsFor(rule: Rule, { rules, program }: LoadedRules): NamedProgram[] {
  const own = { ...rule, enabled: true };
  const alone = rules.map((other) => other.rule === rule.rule ? own : other)
    .filter((other) => other === own || (other.enabled && other.body === "opaque"));
  const together = rules.map((other) => other.rule === rule.rule ? own : other).filter((other) =>
    other.enabled
  );
  const all = rule.enabled ? program : compileRules(together).program;
  const both = { program: all, company: "with all enabled rules" };
  if (rule.body === "group") return [both];
  return [{ program: compileRules(alone).program, company: "with its rule alone" }, both];
}

function casesOf(rule: Rule, loaded: LoadedRules): { example: Case; mistakes: Diagnostic[] }[] {
  const wanted = rule.examples.map((example, index) => ({ ...example, index, kind: "examples" as const }));
  const unwanted = rule.untouched.map((example, index) => ({
    ...example,
    index,
    kind: "untouched" as const,
    text: example.input,
    calls: [],
  }));
  return [...wanted, ...unwanted].map(({ kind, index, name, input, text, calls, offered: written }) => {
    const { offered, unknownTypes } = readOffer(written);
    const mistakes = unknownTypes.map(({ path, type }): Diagnostic => {
      const location = loaded.locate(rule.rule, [kind, index, "offered", ...path]);
      return {
        code: "wrong_value",
        severity: "error",
        message: `Type \`${type}\` does not exist`,
        ...present({ location }),
        expected: "the name of a JSON Schema type, with ? if the parameter may be left out, or a JSON Schema",
        help: didYouMeanOneOf(type, TYPE_NAMES),
      };
    });
    return {
      example: { rule: rule.rule, kind, index, name, input, offered, expected: { text, calls } },
      mistakes,
    };
  });
}

interface Failure {
  readonly example: Case;
  readonly got: Outcome;
  readonly how: string;
  readonly company: string;
}

/** The first way of feeding that gives something else than the case says. */
function runCase(example: Case, { program, company }: NamedProgram): Failure | undefined {
  for (const { how, pieces } of feedings(example.input)) {
    const got = runPieces(program, { pieces, offered: example.offered });
    const isRight = got.text === example.expected.text && isJsonEqual(got.calls, example.expected.calls);
    if (!isRight) return { example, got, how, company };
  }
  return undefined;
}

/** Whole, by character, and in two pieces for every place. */
function* feedings(input: string): Generator<Feeding> {
  yield { how: "in one piece", pieces: [input] };
  yield { how: "one character at a time", pieces: input.split("") };
  for (let cut = 1; cut < input.length; cut++) {
    yield { how: `cut after character ${cut}`, pieces: [input.slice(0, cut), input.slice(cut)] };
  }
}

function runPieces(
  program: Program,
  { pieces, offered }: { pieces: readonly string[]; offered: OfferedTools },
): Outcome {
  const matcher = new Matcher(program, { offered, minimumConfidence: 0, wholeCalls: false });
  return outcomeOf(collect(matcher, textAnswer(pieces)));
}

function outcomeOf(events: readonly ContentEvent[]): Outcome {
  const calls = new Map<number, { tool: string; json: string; isWhole: boolean }>();
  let text = "";
  const decisions: string[] = [];
  for (const event of events) {
    if (event.kind === "text") text += event.text;
    if (event.kind === "call_start") calls.set(event.call, { tool: event.tool, json: "", isWhole: false });
    if (event.kind === "note" && event.reason !== "transformed") {
      decisions.push(`${event.reason} (rule ${event.rule})`);
    }
    if (event.kind === "call_abort") decisions.push(`call broken off: ${event.reason}`);
    const call = "call" in event && event.call !== undefined ? calls.get(event.call) : undefined;
    if (call !== undefined && event.kind === "arguments") call.json += event.json;
    if (call !== undefined && event.kind === "call_end") call.isWhole = true;
  }
  const read = [...calls.values()].map(({ tool, json, isWhole }) => ({
    tool,
    arguments: isWhole ? parseOrText(json) : `broken off after ${json}`,
  }));
  return { text, calls: read, decisions };
}

function parseOrText(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch {
    return `not JSON: ${json}`;
  }
}

function failureDiagnostic({ example, got, how, company }: Failure, loaded: LoadedRules): Diagnostic {
  const { kind, index, name, rule, expected } = example;
  const location = loaded.locate(rule, [kind, index, "name"]);
  const decided = got.decisions.length === 0 ? "" : `\nits decisions: ${got.decisions.join(", ")}`;
  const what = kind === "untouched"
    ? `Case "${name}" of rule "${rule}" does not stay untouched`
    : `Example "${name}" of rule "${rule}" gives another result`;
  return {
    code: kind === "untouched" ? "untouched_changed" : "example_failed",
    severity: "error",
    message: `${what}, read ${how} ${company}`,
    ...present({ location }),
    expected: shown(expected),
    help: `change the pattern or the case, which gives\n${shown(got)}${decided}`,
  };
}

function shown({ text, calls }: Pick<Outcome, "text" | "calls">): string {
  const lines = calls.map((call) => `call ${call.tool} ${JSON.stringify(call.arguments)}`);
  return [`text ${JSON.stringify(text)}`, ...(lines.length === 0 ? ["no call"] : lines)].join("\n");
}
