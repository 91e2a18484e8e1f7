/**
 * The order in which diagnostics are shown. In: diagnostics as they were found. Out: the same, by file and place.
 *
 * @module
 */
import type { Diagnostic } from "./diagnostic.ts";

/** Those without a place first, then file by file as the files first come up, each from top to bottom. */
export function inFileOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const byFile = new Map<string, Diagnostic[]>([["", []]]);
  for (const diagnostic of diagnostics) {
    const file = diagnostic.location?.file ?? "";
    byFile.set(file, [...byFile.get(file) ?? [], diagnostic]);
  }
  return [...byFile.values()].flatMap((group) => group.sort(comparePlaces));
}

function comparePlaces({ location: a }: Diagnostic, { location: b }: Diagnostic): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}
