/** Sorts diagnostics by file and position. @module */
import type { Diagnostic } from "./diagnostic.ts";

/** Diagnostics without a location first, then by file in the order of first occurrence, each from top to bottom. */
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
