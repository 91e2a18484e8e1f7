/** An error in a pattern, and its position. @module */
import type { AST } from "@eslint-community/regexpp";
import type { Code } from "../diagnostic/codes.ts";
import { present } from "../object/present.ts";

/** An error in a pattern. Offset and length count the UTF-16 code units of its text. */
export interface PatternProblem {
  /** The kind of error. */
  readonly code: Code;
  /** The offset of the error in the pattern. */
  readonly offset: number;
  /** The number of incorrect characters. */
  readonly length: number;
  /** A description of the error. */
  readonly message: string;
  /** What was expected instead. */
  readonly expected?: string;
  /** How to fix it. */
  readonly help?: string;
  /** The whole pattern as it is right, ready to paste. */
  readonly rewritten?: string;
}

/** An error that stops the parser; only `parsePattern` catches it. */
export class PatternError extends Error {
  /**
   * Wraps a problem.
   *
   * @param problem the problem to report
   */
  constructor(readonly problem: PatternProblem) {
    super(problem.message);
  }
}

/** The error for a construct that an automaton can't run. */
export function unsupported(element: AST.Node, message: string, help?: string): PatternError {
  return new PatternError({
    code: "pattern_unsupported",
    offset: element.start,
    length: element.end - element.start,
    message,
    expected:
      "literals, classes, groups, | ? * + {m,n}, ^ at the start, $ or a look-ahead at the end, \\k<name> after the hole",
    ...present({ help }),
  });
}
