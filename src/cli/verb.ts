/**
 * The contract of a verb of the command line. The table of verbs parses the arguments by `options`, prints
 * `--help` from the descriptions, and calls `run`; a verb touches the outside through its `World` only, so that
 * a test can run it without a terminal.
 *
 * @module
 */
import type { World } from "../service/world.ts";

/** One flag of a verb, as `node:util` parseArgs takes it, with what `--help` says of it. */
export interface VerbOption {
  /** Whether a value follows the flag. */
  readonly type: "string" | "boolean";
  /** One letter: `-p`. */
  readonly short?: string;
  /** Whether the flag may be given several times. */
  readonly multiple?: boolean;
  /** What it does, one line, no full stop. */
  readonly description: string;
  /** What stands for the value in `--help`: `PORT`, `FILE`. */
  readonly placeholder?: string;
}

/** The value of a flag, as parseArgs gives it. */
export type VerbValue = string | boolean | (string | boolean)[] | undefined;

/** What a verb was called with. */
export interface VerbInput {
  /** Flag → value. */
  readonly values: Readonly<Record<string, VerbValue>>;
  /** What is no flag, in order. */
  readonly positionals: readonly string[];
}

/** One verb of the command line. */
export interface Verb {
  /** The word on the command line. */
  readonly name: string;
  /** One line for the list of verbs. */
  readonly summary: string;
  /** What follows the program's name: `check [PATH…] [--json]`. */
  readonly usage: string;
  /** How many arguments that are no flags it takes at most. */
  readonly operandsMax: number;
  /** Whole command lines for `--help`, without the program's name. */
  readonly examples: readonly string[];
  /** Flag's long name → flag. */
  readonly options: Readonly<Record<string, VerbOption>>;
  /** Does the work; gives the exit code. */
  run(input: VerbInput, world: World): Promise<number>;
}

/** A flag's text, the last one where it was given several times. */
export function textValue(input: VerbInput, name: string): string | undefined {
  const value = input.values[name];
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === "string" ? last : undefined;
}

/** All texts of a flag that may be given several times. */
export function textValues(input: VerbInput, name: string): readonly string[] {
  const value = input.values[name];
  const list = Array.isArray(value) ? value : [value];
  return list.filter((entry) => typeof entry === "string");
}

/** Whether a flag without value was given. */
export function isSet(input: VerbInput, name: string): boolean {
  return input.values[name] === true;
}
