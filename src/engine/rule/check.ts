/** Checks rules that were read: their errors, what their author can't want, overlaps, and their examples. @module */
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { inFileOrder } from "../diagnostic/order.ts";
import { runExamples } from "./examples.ts";
import { lintRules } from "./lint.ts";
import { findOverlaps } from "./overlap.ts";
import type { LoadedRules } from "./read.ts";
import type { Rule } from "./schema.ts";

interface CheckOptions {
  readonly isTarget: (rule: Rule) => boolean;
  /** Whether a rule ships with the program; overlaps of those are known. */
  readonly isBuiltIn: (rule: Rule) => boolean;
  /** The errors that are known from reading. */
  readonly diagnostics: readonly Diagnostic[];
  /** Gets the name of each rule before its examples run, how many are done, and how many there are; at the end once more. */
  readonly onRule?: ((name: string, done: number, all: number) => void) | undefined;
  /** Proves that the rules read what they speak; this folder doesn't know how they speak. */
  readonly prove: (
    loaded: LoadedRules,
    options: { readonly only: (rule: Rule) => boolean },
  ) => readonly Diagnostic[];
}

interface RuleCheck {
  /** Everything that is wrong, in the order of the files. */
  readonly diagnostics: readonly Diagnostic[];
  readonly exampleCount: number;
}

/** Checks rules. Of a rule that can't be read, everything else that goes wrong is a consequence, so it is left out. */
export function checkRules(
  loaded: LoadedRules,
  { isTarget, isBuiltIn, diagnostics, prove, onRule }: CheckOptions,
): RuleCheck {
  const isSound = soundness(loaded, { isTarget, diagnostics });
  const examples = runExamples(loaded, { only: isSound, onRule });
  return {
    diagnostics: inFileOrder([
      ...diagnostics,
      ...findings(loaded, { isSound, isBuiltIn, prove }),
      ...examples.diagnostics,
    ]),
    exampleCount: examples.count,
  };
}

/** The same without examples, which take the most time. */
export function checkWithoutExamples(
  loaded: LoadedRules,
  { isTarget, isBuiltIn, diagnostics, prove }: CheckOptions,
): readonly Diagnostic[] {
  const isSound = soundness(loaded, { isTarget, diagnostics });
  return inFileOrder([...diagnostics, ...findings(loaded, { isSound, isBuiltIn, prove })]);
}

function soundness(
  loaded: LoadedRules,
  { isTarget, diagnostics }: Pick<CheckOptions, "isTarget" | "diagnostics">,
): (rule: Rule) => boolean {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const wrong = new Set(errors.map(({ location }) => location?.file));
  return (rule) => isTarget(rule) && !wrong.has(loaded.fileOf(rule.rule));
}

function findings(
  loaded: LoadedRules,
  { isSound, isBuiltIn, prove }: Pick<CheckOptions, "isBuiltIn" | "prove"> & {
    readonly isSound: (rule: Rule) => boolean;
  },
): Diagnostic[] {
  return [
    ...lintRules(loaded, { only: isSound }),
    ...findOverlaps(loaded, { only: (rule) => isSound(rule) && !isBuiltIn(rule) }),
    ...prove(loaded, { only: isSound }),
  ];
}
