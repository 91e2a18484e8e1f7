/** Prints errors of verbs to standard error. @module */
import { resolve } from "node:path";
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { printDiagnostic } from "../engine/diagnostic/print.ts";
import { reasonOf } from "../engine/document/load.ts";
import { type CliContext, printing } from "./service/context.ts";

/** The exit code for a command line that cannot be parsed. */
export const WRONG_USAGE = 2;

export function complain(diagnostics: readonly Diagnostic[], context: CliContext): void {
  for (const diagnostic of diagnostics) {
    context.stderr(printDiagnostic(diagnostic, printing(context)) + "\n");
  }
}

export function complainOf(problem: Omit<Diagnostic, "severity">, context: CliContext): void {
  complain([{ ...problem, severity: "error" }], context);
}

export function complainOfUsage(
  { message, help }: { readonly message: string; readonly help: string },
  context: CliContext,
): number {
  complainOf({ code: "wrong_usage", message, help }, context);
  return WRONG_USAGE;
}

export function complainOfReading(path: string, cause: unknown, context: CliContext): undefined {
  const message = `Cannot read ${path}: ${reasonOf(cause)}`;
  const help = "check the spelling and the permissions; nothing was changed";
  complainOf({ code: "file_unreadable", message, help }, context);
}

/** Writes a file that a person named; prints why it can't and returns false. */
export async function writeNamed(path: string, text: string, context: CliContext): Promise<boolean> {
  try {
    await Deno.writeTextFile(resolve(context.workingDirectory, path), text);
    return true;
  } catch (cause) {
    complainOfWriting(path, cause, context);
    return false;
  }
}

export function complainOfWriting(path: string, cause: unknown, context: CliContext): undefined {
  const why = cause instanceof Deno.errors.NotFound
    ? "its folder does not exist"
    : cause instanceof Deno.errors.NotCapable
    ? "this process has no permission to write there"
    : reasonOf(cause);
  const message = `Cannot write ${path}: ${why}`;
  const help = "use a path in an existing folder that you can write to";
  complainOf({ code: "file_unwritable", message, help }, context);
}
