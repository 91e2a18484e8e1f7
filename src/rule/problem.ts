/**
 * What is wrong with a rule that parses but cannot work, before anyone knows in which file and line it stands.
 *
 * @module
 */
import type { Code } from "../diagnostic/codes.ts";

/** One mistake in a rule, by the path of the field and the place inside its text. */
export interface RuleProblem {
  /** Which mistake it is. */
  readonly code: Code;
  /** The rule's name. */
  readonly rule: string;
  /** The field: `["pattern"]`, `["whitelist", "commands", 2]`. */
  readonly path: readonly (string | number)[];
  /** Where in the field's text: UTF-16 offset and length; the whole field when absent. */
  readonly offset?: number;
  /** How many characters of it are at fault. */
  readonly length?: number;
  /** What is wrong. */
  readonly message: string;
  /** What was expected there. */
  readonly expected?: string;
  /** How to mend it. */
  readonly help?: string;
}
