/**
 * Prints errors of verbs to standard error.
 *
 * @module
 */
import type { Diagnostic } from "../engine/diagnostic/diagnostic.ts";
import { printDiagnostic } from "../engine/diagnostic/print.ts";
import { printing, type World } from "./service/world.ts";

/** The exit code for a command line that cannot be parsed. */
export const WRONG_USAGE = 2;

/** Prints diagnostics to standard error. */
export function complain(diagnostics: readonly Diagnostic[], world: World): void {
  for (const diagnostic of diagnostics) {
    world.stderr(printDiagnostic(diagnostic, printing(world)) + "\n");
  }
}

/** Prints a usage error and returns its exit code. */
export function complainOfUsage(
  { message, help }: { readonly message: string; readonly help: string },
  world: World,
): number {
  complain([{ code: "wrong_usage", severity: "error", message, help }], world);
  return WRONG_USAGE;
}
