/** Parses the arguments of one verb by its options. It runs nothing. @module */
import { parseArgs } from "node:util";
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { suggest } from "../engine/diagnostic/suggest.ts";
import { present } from "../engine/object/present.ts";
import type { Verb, VerbInput, VerbOption, VerbValue } from "./verb.ts";

interface ParsedArguments {
  /** The input; valid only if there are no diagnostics. */
  readonly input: VerbInput;
  /** Whether `--help` or `-h` is given; then everything else is ignored. */
  readonly isHelp: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export const HELP_OPTION: Readonly<Record<"help", VerbOption>> = {
  help: { type: "boolean", short: "h", description: "Show this help" },
};

/**
 * Parses the words after a verb.
 *
 * @example
 * ```ts
 * import { readArguments } from "./arguments.ts";
 * const options = { port: { type: "string", short: "p", description: "Port" } } as const;
 * const { input } = readArguments(["-p", "1"], { name: "serve", options, operandsMax: 0 });
 * console.assert(input.values.port === "1");
 * ```
 */
export function readArguments(
  words: readonly string[],
  verb: Pick<Verb, "name" | "options" | "operandsMax">,
): ParsedArguments {
  const options: Readonly<Record<string, VerbOption>> = { ...verb.options, ...HELP_OPTION };
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(options).map(([name, option]) => [name, parserOption(option)]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values: Record<string, VerbValue> = {};
  const positionals: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const mistake = checkFlag(token, { option, verb: verb.name, names: Object.keys(options) });
    if (mistake !== undefined) diagnostics.push(mistake);
    else if (option !== undefined) addValue(values, { name: token.name, option, value: token.value ?? true });
  }
  // The word after a misspelled flag is its value rather than an argument.
  if (positionals.length > verb.operandsMax && diagnostics.length === 0) {
    diagnostics.push(tooManyWords(positionals.slice(verb.operandsMax), verb));
  }
  return { input: { values, positionals }, isHelp: values.help === true, diagnostics };
}

function parserOption({ type, short, multiple }: VerbOption) {
  return { type, ...present({ short }), multiple: multiple === true };
}

interface Flag {
  readonly rawName: string;
  readonly value?: string | undefined;
}

interface FlagContext {
  readonly option: VerbOption | undefined;
  readonly verb: string;
  readonly names: readonly string[];
}

function checkFlag({ rawName, value }: Flag, { option, verb, names }: FlagContext): Diagnostic | undefined {
  const wrong = (message: string, help: string): Diagnostic => ({
    code: "unknown_flag",
    severity: "error",
    message,
    help,
  });
  const all = `\`dragoman help ${verb}\` lists every flag`;
  if (option === undefined) {
    const nearest = rawName.startsWith("--") ? suggest(rawName, names.map((name) => `--${name}`)) : undefined;
    const help = nearest === undefined ? all : `did you mean \`${nearest}\`? ${all}`;
    return wrong(`The verb \`${verb}\` has no flag ${rawName}`, help);
  }
  if (option.type === "boolean" && value !== undefined) {
    return wrong(`The flag ${rawName} takes no value, but \`${value}\` was given`, `write ${rawName} alone`);
  }
  if (option.type === "string" && value === undefined) {
    return wrong(`The flag ${rawName} needs a value`, `write ${rawName} ${option.placeholder ?? "VALUE"}`);
  }
  return undefined;
}

function addValue(
  values: Record<string, VerbValue>,
  { name, option, value }: { name: string; option: VerbOption; value: string | boolean },
): void {
  const before = values[name];
  values[name] = option.multiple !== true ? value : Array.isArray(before) ? [...before, value] : [value];
}

function tooManyWords(words: readonly string[], { name }: Pick<Verb, "name">): Diagnostic {
  return {
    code: "unknown_flag",
    severity: "error",
    message: `The verb \`${name}\` does not take \`${words.join(" ")}\``,
    help: `\`dragoman help ${name}\` shows the usage`,
  };
}
