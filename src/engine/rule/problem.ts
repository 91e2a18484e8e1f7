/**
 * The problem of a rule that parses but can't work, before its file and line are known.
 *
 * @module
 */
import type { Code } from "../diagnostic/codes.ts";

/** One error in a rule, with the path of its field and the position in the field's text. */
export interface RuleProblem {
  /** The diagnostic code. */
  readonly code: Code;
  /** The rule's name. */
  readonly rule: string;
  /** The field: `["pattern"]`, `["whitelist", "commands", 2]`. */
  readonly path: readonly (string | number)[];
  /** The UTF-16 offset in the field's text; absent for the whole field. */
  readonly offset?: number;
  /** The number of characters that are wrong. */
  readonly length?: number;
  /** What is wrong. */
  readonly message: string;
  /** What was expected there. */
  readonly expected?: string;
  /** How to fix it. */
  readonly help?: string;
}
