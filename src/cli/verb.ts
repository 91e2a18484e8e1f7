/** The contract of a verb. It uses only its `CliContext`, so that a test can run it without a terminal. @module */
import type { CliContext } from "./service/context.ts";

/** What a shell completes: these words, or the names of all rules, clients, plugins or codes. */
export type CompletedNames = readonly string[] | "rules" | "clients" | "plugins" | "codes";

/** One flag of a verb, in the form of `node:util` parseArgs, with its line in `--help`. */
export interface VerbOption {
  readonly type: "string" | "boolean";
  /** One letter: `-p`. */
  readonly short?: string;
  readonly multiple?: boolean;
  /** What it does, one line, no full stop. */
  readonly description: string;
  /** The placeholder of the value in `--help`: `PORT`, `FILE`. */
  readonly placeholder?: string;
  /** The values that a shell completes; absent: names of files. */
  readonly values?: CompletedNames;
}

/** The value of a flag, in the form of parseArgs. */
export type VerbValue = string | boolean | (string | boolean)[] | undefined;

export interface VerbInput {
  readonly values: Readonly<Record<string, VerbValue>>;
  /** The arguments that are not flags, in order. */
  readonly positionals: readonly string[];
}

export interface Verb {
  readonly name: string;
  readonly summary: string;
  /** The usage after the program's name: `check [PATH…] [--json]`. */
  readonly usage: string;
  /** The largest number of arguments that are not flags. */
  readonly operandsMax: number;
  /** Words that can be the first argument, for completion in a shell. */
  readonly words?: readonly string[];
  /** What can follow these words, or be the first argument without them, for completion in a shell. */
  readonly operands?: CompletedNames;
  /** Full command lines for `--help`, without the program's name. */
  readonly examples: readonly string[];
  /** Signal → what it does, for `--help`. */
  readonly signals?: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, VerbOption>>;
  /** Does the work and returns the exit code. */
  run(input: VerbInput, context: CliContext): Promise<number>;
}

/** A flag's text; the last one if the flag is repeated. */
export function textValue(input: VerbInput, name: string): string | undefined {
  const value = input.values[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === "string" ? last : undefined;
}

/** A flag's number; undefined without the flag. */
export function numberValue(input: VerbInput, name: string): number | undefined {
  const text = textValue(input, name);
  return text === undefined ? undefined : Number(text);
}

export function textValues(input: VerbInput, name: string): readonly string[] {
  const value = input.values[name];
  const list = Array.isArray(value) ? value : [value];
  return list.filter((entry) => typeof entry === "string");
}

/** Whether a flag without a value is given. */
export function isSet(input: VerbInput, name: string): boolean {
  return input.values[name] === true;
}
