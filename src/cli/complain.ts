/**
 * What verbs say about their own use and about files that they cannot read: on the standard error, as every
 * other mistake is shown.
 *
 * @module
 */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { printDiagnostic } from "../diagnostic/print.ts";
import type { World } from "../service/world.ts";

/** The exit code for a command line that cannot be read. */
export const WRONG_USAGE = 2;

/** Prints diagnostics on the standard error. */
export function complain(diagnostics: readonly Diagnostic[], world: World): void {
  for (const diagnostic of diagnostics) {
    world.stderr(printDiagnostic(diagnostic, { colours: world.isTerminal }) + "\n");
  }
}

/** Prints what is wrong with the way a verb was called; gives the exit code for it. */
export function complainOfUsage(
  { message, help }: { readonly message: string; readonly help: string },
  world: World,
): number {
  complain([{ code: "wrong_usage", severity: "error", message, help }], world);
  return WRONG_USAGE;
}
