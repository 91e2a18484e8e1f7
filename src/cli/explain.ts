/** The verb `explain`: what a diagnostic code, a reason code or its words on a line mean, or the list of all codes. @module */
import { withCommand } from "../engine/diagnostic/command.ts";
import type { CodeText } from "../engine/diagnostic/code_text.ts";
import { CODES } from "../engine/diagnostic/codes.ts";
import { printDiagnostic } from "../engine/diagnostic/print.ts";
import { didYouMean } from "../engine/diagnostic/suggest.ts";
import type { ReasonEntry } from "../engine/event/reason_entry.ts";
import { REASONS } from "../engine/event/reasons.ts";
import { ERROR_CODES } from "../proxy/exchange/error_codes.ts";
import { MISTAKES } from "../proxy/plugin/model_errors.ts";
import { wrapText } from "./wrap.ts";
import { type CliContext, printing } from "./service/context.ts";
import type { Verb, VerbInput } from "./verb.ts";

export const explain: Verb = {
  name: "explain",
  summary: "Explain a code or a remark that Dragoman prints",
  usage: "explain [CODE | WORDS OF A LINE]",
  operandsMax: Infinity,
  operands: "codes",
  examples: ["explain", "explain unknown_tool", "explain kept alive"],
  options: {},
  run,
};

/** Every code that can be explained. */
export const ALL_CODES: readonly string[] = [CODES, REASONS, ERROR_CODES, MISTAKES].flatMap((table) =>
  Object.keys(table)
);

function run({ positionals }: VerbInput, context: CliContext): Promise<number> {
  const codes: Readonly<Record<string, CodeText>> = CODES;
  const reasons: Readonly<Record<string, ReasonEntry>> = REASONS;
  const asked = positionals.join(" ");
  const code = Object.entries(reasons).find(([, reason]) => wordOf(reason) === asked)?.[0] ?? asked;
  if (code === "") {
    context.stdout(withCommand(listOfCodes(), context.command));
    return Promise.resolve(0);
  }
  const text = Object.hasOwn(codes, code) ? codes[code] : undefined;
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  const plain = PLAIN.find(({ table }) => Object.hasOwn(table, code));
  if (text === undefined && reason === undefined && plain === undefined) {
    const help = didYouMean(code, ALL_CODES) ??
      "`dragoman explain` without a code lists every code";
    const expected = "a code from Dragoman's output, or the words of a remark";
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
  if (plain !== undefined) {
    const meaning = withCommand(plain.table[code] ?? "", context.command);
    context.stdout(`${code}: ${plain.one}\n\n${wrapText(meaning)}\n`);
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
  const plain = PLAIN.flatMap(({ heading, table }) => [
    "",
    heading,
    ...Object.entries(table).map(([code, text]) => `  ${code.padEnd(width)}${summaryOf(text)}`),
  ]);
  return [
    "Diagnostic codes: errors in rules, clients, the configuration, and the command line",
    ...codes,
    ...reasons,
    ...plain,
    "",
    "For details, run `dragoman explain CODE`.",
    "",
  ].join("\n");
}

const KINDS: Readonly<Record<ReasonEntry["kind"], { readonly one: string; readonly heading: string }>> = {
  decision: { one: "the reason for a decision", heading: "Decisions: why text became a call or stayed text" },
  repair: { one: "a repair", heading: "Repairs: fixed errors in a call" },
  remark: { one: "a remark", heading: "Remarks about a call, a request, or an answer" },
  plugin: { one: "a note of a plugin", heading: "Notes of plugins" },
};

interface PlainCodes {
  readonly one: string;
  readonly heading: string;
  /** Code → meaning. */
  readonly table: Readonly<Record<string, string>>;
}

const PLAIN: readonly PlainCodes[] = [
  {
    one: "an error on a request's line",
    heading: "Errors on a request's line: why a client got no answer or only part of one",
    table: ERROR_CODES,
  },
  {
    one: "a model error that a strict plugin reports",
    heading: "Model errors that strict plugins report to the client",
    table: MISTAKES,
  },
];

/** The longest summary in the list of codes, in characters. */
const SUMMARY_MAX = 100;

/** The first sentence of a text; of a long one, the part before a comma. A full stop inside code or of `e.g.` ends nothing. */
function summaryOf(text: string): string {
  const sentence =
    /^(?:`[^`]*`|[^`])*?(?<!\b[a-z]\.[a-z]|\bsuch as|\betc)(?=[.;:](?:\s|$))/.exec(text)?.[0] ?? text;
  if (sentence.length <= SUMMARY_MAX) return sentence;
  const start = sentence.slice(0, SUMMARY_MAX + 1);
  return sentence.slice(0, Math.max(start.lastIndexOf(","), start.lastIndexOf(" (")));
}
