/** The verb `explain`: what a diagnostic code, a reason code or its words on a line mean, or the list of all codes. @module */
import { withCommand } from "../engine/diagnostic/command.ts";
import type { CodeText } from "../engine/diagnostic/code_text.ts";
import { CODES } from "../engine/diagnostic/codes.ts";
import { printDiagnostic } from "../engine/diagnostic/print.ts";
import { didYouMean } from "../engine/diagnostic/suggest.ts";
import type { ReasonEntry } from "../engine/event/reason_entry.ts";
import { REASONS } from "../engine/event/reasons.ts";
import { MISTAKES } from "../proxy/plugin/mistake.ts";
import { wrapText } from "./wrap.ts";
import { type CliContext, printing } from "./service/context.ts";
import type { Verb, VerbInput } from "./verb.ts";

export const explain: Verb = {
  name: "explain",
  summary: "Explain a diagnostic code or a reason code",
  usage: "explain [CODE | WORDS OF A LINE]",
  operandsMax: Infinity,
  examples: ["explain", "explain unknown_tool", "explain kept alive"],
  options: {},
  run,
};

const ALL_CODES = [...Object.keys(CODES), ...Object.keys(REASONS), ...Object.keys(MISTAKES)];

function run({ positionals }: VerbInput, context: CliContext): Promise<number> {
  const codes: Readonly<Record<string, CodeText>> = CODES;
  const reasons: Readonly<Record<string, ReasonEntry>> = REASONS;
  const mistakes: Readonly<Record<string, string>> = MISTAKES;
  const asked = positionals.join(" ");
  const code = Object.entries(reasons).find(([, reason]) => wordOf(reason) === asked)?.[0] ?? asked;
  if (code === "") {
    context.stdout(withCommand(listOfCodes(), context.command));
    return Promise.resolve(0);
  }
  const text = Object.hasOwn(codes, code) ? codes[code] : undefined;
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  const mistake = Object.hasOwn(mistakes, code) ? mistakes[code] : undefined;
  if (text === undefined && reason === undefined && mistake === undefined) {
    const help = didYouMean(code, ALL_CODES) ??
      "`dragoman explain` without a code lists every code";
    const expected = "a diagnostic code or a reason code";
    const message = `Unknown code \`${code}\``;
    const diagnostic = { code: "unknown_code", severity: "error", message, expected, help } as const;
    context.stderr(printDiagnostic(diagnostic, printing(context)) + "\n");
    return Promise.resolve(1);
  }
  if (text !== undefined) context.stdout(withCommand(explanationOf(code, text), context.command));
  if (reason !== undefined) {
    context.stdout(
      `${code}: ${KINDS[reason.kind].one}${shownAs(reason)}\n\n${
        wrapText(withCommand(reason.meaning, context.command))
      }\n`,
    );
  }
  if (mistake !== undefined) {
    context.stdout(`${code}: an error of the model that a strict plugin reports\n\n${wrapText(mistake)}\n`);
  }
  return Promise.resolve(0);
}

function shownAs(reason: ReasonEntry): string {
  const word = wordOf(reason);
  return word === undefined ? "" : `, \`${word}\` on a request's line`;
}

function wordOf(reason: ReasonEntry): string | undefined {
  return reason.kind === "decision" ? undefined : reason.word;
}

function explanationOf(code: string, { summary, explanation, example }: CodeText): string {
  const lines = example.split("\n").map((line) => `    ${line}`.trimEnd());
  return `${code}: ${summary}\n\n${wrapText(explanation)}\n\n${lines.join("\n")}\n`;
}

function listOfCodes(): string {
  const width = Math.max(...ALL_CODES.map((code) => code.length)) + 2;
  const codes = Object.entries(CODES).map(([code, { summary }]) => `  ${code.padEnd(width)}${summary}`);
  const ofKind = (wanted: ReasonEntry["kind"]) =>
    Object.entries(REASONS).filter(([, { kind }]) => kind === wanted)
      .map(([code, { meaning }]) => `  ${code.padEnd(width)}${summaryOf(meaning)}`);
  const reasons = Object.entries(KINDS).flatMap((
    [kind, { heading }],
  ) => ["", heading, ...ofKind(kind as ReasonEntry["kind"])]);
  const mistakes = Object.entries(MISTAKES).map(([code, text]) =>
    `  ${code.padEnd(width)}${summaryOf(text)}`
  );
  return [
    "Diagnostic codes: errors in rules, clients, the configuration and the command line",
    ...codes,
    ...reasons,
    "",
    "Errors of a model: what strict plugins report to the client",
    ...mistakes,
    "",
    "For details, run `dragoman explain CODE`.",
    "",
  ].join("\n");
}

const KINDS: Readonly<Record<ReasonEntry["kind"], { readonly one: string; readonly heading: string }>> = {
  decision: { one: "the reason for a decision", heading: "Decisions: why text was or was not made a call" },
  repair: { one: "a repair", heading: "Repairs: what was fixed in a call" },
  remark: { one: "a remark", heading: "Remarks: what else to know about a call, a request or an answer" },
  plugin: { one: "a note of a plugin", heading: "Notes of plugins" },
};

/** The longest summary in the list of codes, in characters. */
const SUMMARY_MAX = 100;

/** The first sentence of a text; of a long one what comes before a comma. A mark in code, as in `tools: raw`, ends nothing. */
function summaryOf(text: string): string {
  const sentence = /^(?:`[^`]*`|[^`])*?(?=[.;:](?:\s|$))/.exec(text)?.[0] ?? text;
  if (sentence.length <= SUMMARY_MAX) return sentence;
  const start = sentence.slice(0, SUMMARY_MAX + 1);
  return sentence.slice(0, Math.max(start.lastIndexOf(","), start.lastIndexOf(" (")));
}
