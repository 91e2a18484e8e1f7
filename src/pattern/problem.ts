/**
 * What is wrong with a pattern, and where.
 *
 * @module
 */
import type { AST } from "@eslint-community/regexpp";
import type { Code } from "../diagnostic/codes.ts";
import { present } from "../object/present.ts";

/** A mistake in a pattern: offset and length in its text, in UTF-16 code units. */
export interface PatternProblem {
  /** Which mistake it is. */
  readonly code: Code;
  /** Its place in the pattern. */
  readonly offset: number;
  /** How many characters are at fault. */
  readonly length: number;
  /** What is wrong. */
  readonly message: string;
  /** What was expected there. */
  readonly expected?: string;
  /** How to correct it. */
  readonly help?: string;
}

/** A mistake that stops the reading of a pattern; `parsePattern` alone catches it. */
export class PatternError extends Error {
  /**
   * Carries a mistake out of the parser.
   *
   * @param problem the mistake
   */
  constructor(readonly problem: PatternProblem) {
    super(problem.message);
  }
}

/** A construct that an automaton cannot run. */
export function unsupported(element: AST.Node, message: string, help?: string): PatternError {
  return new PatternError({
    code: "pattern_unsupported",
    offset: element.start,
    length: element.end - element.start,
    message,
    expected:
      "literals, classes, groups, | ? * + {m,n}, a leading ^, a look-ahead at the end, \\k<name> after the hole",
    ...present({ help }),
  });
}
