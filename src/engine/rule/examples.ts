/** Runs the examples of rules: whole, by character and cut everywhere, with the rule alone and with all that are on. @module */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { didYouMeanOneOf } from "../diagnostic/suggest.ts";
import { isJsonEqual } from "../json/equal.ts";
import { groupBy } from "../object/group.ts";
import { present } from "../object/present.ts";
import { isRecord } from "../object/record.ts";
import type { Program } from "../scan/program.ts";
import type { OfferedTools } from "../tool/offered.ts";
import { compileRules } from "./compile.ts";
import { readOffer, TYPE_NAMES } from "./offer.ts";
import { type Outcome, readAnswer } from "./outcome.ts";
import type { LoadedRules } from "./read.ts";
import { readingKey } from "./same_reading.ts";
import type { Example, Rule } from "./schema.ts";

interface ExampleReport {
  /** The number of cases that ran, of `examples` and `untouched` together. */
  readonly count: number;
  readonly diagnostics: readonly Diagnostic[];
}

interface ExampleOptions {
  /** Whether to run the cases of a rule; default: of every rule. */
  readonly only?: (rule: Rule) => boolean;
  /** Gets the name of each rule before its cases run, how many are done, and how many there are; at the end once more. */
  readonly onRule?: ((name: string, done: number, all: number) => void) | undefined;
}

interface Case {
  readonly rule: string;
  /** The list that holds the case. */
  readonly kind: "examples" | "untouched";
  readonly index: number;
  readonly name: string;
  readonly input: string;
  readonly offered: OfferedTools;
  /** The same as the rule file has them. */
  readonly written: Example["offered"];
  readonly expected: Pick<Outcome, "text" | "calls">;
}

export interface CaseResult {
  readonly example: Case;
  /** The first cut that gives a different result than the case expects; absent if all give it. */
  readonly failure?: CaseFailure;
  readonly diagnostics: readonly Diagnostic[];
}

/** A cut that gives a different result. */
interface CaseFailure {
  readonly got: Outcome;
  /** How the answer is cut, as a phrase. */
  readonly how: string;
  /** The rules it is read with, as a phrase. */
  readonly company: string;
}

interface CutAnswer {
  readonly how: string;
  readonly pieces: readonly string[];
}

/** Runs the examples and the untouched cases of rules; a rule that is off is on for its own cases. */
export function runExamples(loaded: LoadedRules, options: ExampleOptions = {}): ExampleReport {
  const rules = loaded.rules.filter((rule) => options.only?.(rule) ?? true);
  const shared: SharedRun = { all: withoutCopies(loaded), passed: new Set() };
  const results = rules.flatMap((rule, index) => {
    options.onRule?.(rule.rule, index, rules.length);
    return [...runCases(rule, loaded, shared)];
  });
  options.onRule?.("", rules.length, rules.length);
  return { count: results.length, diagnostics: results.flatMap(({ diagnostics }) => diagnostics) };
}

interface SharedRun {
  readonly all: Program;
  /** The cases that passed already, with their program: copies of a rule have the same cases. */
  readonly passed: Set<string>;
}

/** The rules that are on; of those that read alike only the one that wins, because the others then read nothing. */
function withoutCopies({ rules, program }: LoadedRules): Program {
  const enabled = rules.filter((rule) => rule.enabled);
  const groups = groupBy(enabled, readingKey);
  if (groups.size === enabled.length) return program;
  const winners = new Set(
    [...groups.values()].map((alike) =>
      alike.reduce((best, rule) => rule.confidence > best.confidence ? rule : best)
    ),
  );
  return compileRules(enabled.filter((rule) => winners.has(rule))).program;
}

/** Runs the cases of one rule, each when it is asked for, except those that passed already. */
export function* runCases(
  rule: Rule,
  loaded: LoadedRules,
  { all, passed }: SharedRun = { all: loaded.program, passed: new Set() },
): Generator<CaseResult> {
  const programs = programsFor(rule, { ...loaded, program: all });
  for (const { example, errors } of casesOf(rule, loaded)) {
    const failure = firstFailure(example, programs, passed);
    const failed = failure === undefined ? [] : [failureDiagnostic(example, { failure, loaded })];
    yield { example, ...present({ failure }), diagnostics: [...errors, ...failed] };
  }
}

interface NamedProgram {
  readonly program: Program;
  readonly company: string;
  /** A key that it shares with programs that read alike. */
  readonly key: string;
}

/** The rule alone with the opaque rules, then with all that are on. A group's calls are those of other rules, as is a
 * call before this one.
 */
function programsFor(rule: Rule, { rules, program }: LoadedRules): NamedProgram[] {
  const own = { ...rule, enabled: true };
  const alone = rules.map((other) => other.rule === rule.rule ? own : other)
    .filter((other) => other === own || (other.enabled && other.body === "opaque"));
  const together = rules.map((other) => other.rule === rule.rule ? own : other).filter((other) =>
    other.enabled
  );
  const all = rule.enabled ? program : compileRules(together).program;
  const key = rule.enabled ? "all" : `all and ${rule.rule}`;
  const both = { program: all, company: "with all enabled rules", key };
  const needsOthers = rule.body === "group" || rule.begins === "after_call";
  if (needsOthers || (rule.body === "opaque" && rule.examples.length > 0)) return [both];
  const { program: single } = compileRules(alone);
  return [{ program: single, company: "with its rule alone", key: readingKey(rule) }, both];
}

function casesOf(rule: Rule, loaded: LoadedRules): { example: Case; errors: Diagnostic[] }[] {
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
    const errors = unknownTypes.map(({ path, type }): Diagnostic => {
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
      example: { rule: rule.rule, kind, index, name, input, offered, written, expected: { text, calls } },
      errors,
    };
  });
}

/** The first cut that gives a different result than the case expects. */
function firstFailure(
  example: Case,
  programs: readonly NamedProgram[],
  passed: Set<string>,
): CaseFailure | undefined {
  const { input, written, expected } = example;
  for (const { program, company, key: reading } of programs) {
    const key = JSON.stringify([reading, input, written, expected]);
    if (passed.has(key)) continue;
    for (const { how, pieces } of feedings(example.input)) {
      const got = readAnswer(program, { pieces, offered: example.offered });
      if (differences(example.expected, got).length > 0) return { got, how, company };
    }
    passed.add(key);
  }
  return undefined;
}

/** The distance of two cuts: longer than a mark of a dialect, so that a mark is cut in one place. */
const PIECE = 32;

/** The distance of the positions at which a text is also cut in only two pieces. */
const STEP = 8;

/**
 * Whole, by character, and split at every position. A reading has all cuts that are whole pieces away from its first one, so
 * that few readings cut everywhere; the others cut a long text in two.
 *
 *     100 characters    1 | 32 | 32 | 32 | 3    2 | 32 | 32 | 32 | 2    …    32 | 32 | 32 | 4    40 | 60    48 | 52    …
 */
function* feedings(input: string): Generator<CutAnswer> {
  yield { how: "as a whole", pieces: [input] };
  yield { how: "one character at a time", pieces: input.split("") };
  for (let first = 1; first < input.length; first += first < PIECE ? 1 : STEP) {
    const cuts = [first];
    for (let cut = first + PIECE; first <= PIECE && cut < input.length; cut += PIECE) cuts.push(cut);
    const pieces = [0, ...cuts].map((from, index) => input.slice(from, cuts[index]));
    yield { how: `cut after character ${cuts.join(", ")}`, pieces };
  }
}

function failureDiagnostic(
  { kind, index, name, rule, expected }: Case,
  { failure: { got, how, company }, loaded }: { failure: CaseFailure; loaded: LoadedRules },
): Diagnostic {
  const location = loaded.locate(rule, [kind, index, "name"]);
  const decided = got.decisions.length === 0 ? [] : [`its decisions: ${got.decisions.join(", ")}`];
  const what = kind === "untouched"
    ? `Case "${name}" of rule "${rule}" does not stay unchanged`
    : `Example "${name}" of rule "${rule}" gives a different result`;
  return {
    code: kind === "untouched" ? "untouched_changed" : "example_failed",
    severity: "error",
    message: `${what}, read ${how} ${company}`,
    ...present({ location }),
    help: ["change the pattern or the case:", ...differences(expected, got), ...decided].join("\n"),
  };
}

interface Result {
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly arguments: unknown }[];
}

/** The length of the shown part of a text, from where it differs. */
const SHOWN = 40;

/**
 * The first differences of two results.
 *
 *     text differs at character 3: expected "B", got "C"
 *     call 1 (read_file): `path` is "b" instead of "a"
 */
export function differences(expected: Result, got: Result): string[] {
  const lines = expected.text === got.text ? [] : [textDifference(expected.text, got.text)];
  expected.calls.forEach((call, index) => {
    const other = got.calls[index];
    const what = `call ${index + 1} (${call.tool})`;
    if (other === undefined) lines.push(`${what} is missing`);
    else if (other.tool !== call.tool) lines.push(`${what}: the tool is ${other.tool}`);
    else {
      const found = valueDifferences("arguments", call.arguments, other.arguments);
      lines.push(...found.map((line) => `${what}: ${line}`));
    }
  });
  for (const [index, call] of got.calls.slice(expected.calls.length).entries()) {
    lines.push(`call ${expected.calls.length + index + 1} (${call.tool}) is unexpected`);
  }
  return lines;
}

function textDifference(expected: string, got: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === got[at]) at++;
  return `text differs at character ${at + 1}: expected ${shownFrom(expected, at)}, got ${
    shownFrom(got, at)
  }`;
}

function shownFrom(text: string, at: number): string {
  if (at >= text.length) return "its end";
  const rest = text.slice(at, at + SHOWN);
  return JSON.stringify(rest) + (at + SHOWN < text.length ? "…" : "");
}

function valueDifferences(path: string, expected: unknown, got: unknown): string[] {
  if (isJsonEqual(expected, got)) return [];
  if (!isRecord(expected) || !isRecord(got)) {
    return [`\`${path}\` is ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`];
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(got)]);
  return [...keys].flatMap((key) => {
    const inner = path === "arguments" ? key : `${path}.${key}`;
    if (!Object.hasOwn(got, key)) return [`\`${inner}\` is missing`];
    if (!Object.hasOwn(expected, key)) return [`\`${inner}\` is unexpected: ${JSON.stringify(got[key])}`];
    return valueDifferences(inner, expected[key], got[key]);
  });
}
