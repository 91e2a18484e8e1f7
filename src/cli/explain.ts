/**
 * The verb `explain`: what a diagnostic code or a reason code means. In: a code, or nothing. Out: its paragraph
 * and example, or the list of all codes.
 *
 * @module
 */
import { CODES, type CodeText } from "../diagnostic/codes.ts";
import { printDiagnostic } from "../diagnostic/print.ts";
import { didYouMean } from "../diagnostic/suggest.ts";
import { REASONS } from "../event/reason.ts";
import { wrapText } from "./wrap.ts";
import type { World } from "../service/world.ts";
import type { Verb, VerbInput } from "./verb.ts";

/** `dragoman explain [CODE]`. */
export const explain: Verb = {
  name: "explain",
  summary: "Explain a diagnostic code or a reason code",
  usage: "explain [CODE]",
  operandsMax: 1,
  examples: ["explain", "explain unknown_tool"],
  options: {},
  run,
};

function run({ positionals }: VerbInput, world: World): Promise<number> {
  const codes: Readonly<Record<string, CodeText>> = CODES;
  const reasons: Readonly<Record<string, string>> = REASONS;
  const [code] = positionals;
  if (code === undefined) {
    world.stdout(listOfCodes());
    return Promise.resolve(0);
  }
  const text = Object.hasOwn(codes, code) ? codes[code] : undefined;
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  if (text === undefined && reason === undefined) {
    const help = didYouMean(code, [...Object.keys(CODES), ...Object.keys(REASONS)]) ??
      "`dragoman explain` without a code lists all of them";
    const expected = "a diagnostic code or a reason code";
    const message = `No code is named \`${code}\``;
    const diagnostic = { code: "unknown_code", severity: "error", message, expected, help } as const;
    world.stderr(printDiagnostic(diagnostic, { colours: world.isTerminal }) + "\n");
    return Promise.resolve(1);
  }
  if (text !== undefined) world.stdout(explanationOf(code, text));
  if (reason !== undefined) world.stdout(`${code}: a reason code of a decision\n\n${wrapText(reason)}\n`);
  return Promise.resolve(0);
}

function explanationOf(code: string, { summary, explanation, example }: CodeText): string {
  const lines = example.split("\n").map((line) => `    ${line}`.trimEnd());
  return `${code}: ${summary}\n\n${wrapText(explanation)}\n\n${lines.join("\n")}\n`;
}

function listOfCodes(): string {
  const width = Math.max(...[...Object.keys(CODES), ...Object.keys(REASONS)].map((code) => code.length)) + 2;
  const codes = Object.entries(CODES).map(([code, { summary }]) => `  ${code.padEnd(width)}${summary}`);
  const reasons = Object.entries(REASONS).map(([code, text]) =>
    `  ${code.padEnd(width)}${firstClause(text)}`
  );
  return [
    "Diagnostic codes: mistakes in rules, clients, the configuration and the command line",
    ...codes,
    "",
    "Reason codes: why a text was or was not made a call",
    ...reasons,
    "",
    "`dragoman explain CODE` tells more of one.",
    "",
  ].join("\n");
}

function firstClause(text: string): string {
  const clause = /^(?:Repair: )?.*?(?=[.;,:](?:\s|$)|\s\()/.exec(text)?.[0] ?? text;
  return clause.length > 100 ? `${clause.slice(0, 99)}…` : clause;
}
