/**
 * What is wrong with a rule that parses but cannot work, before anyone knows in which file and line it stands.
 *
 * @module
 */
import type { Code } from "../diagnostic/codes.ts";

/** One mistake in a rule, by the path of the field and the place inside its text. */
export interface RuleProblem {
  readonly code: Code;
  /** The rule's name. */
  readonly rule: string;
  /** The field: `["pattern"]`, `["whitelist", "commands", 2]`. */
  readonly path: readonly (string | number)[];
  /** Where in the field's text: UTF-16 offset and length; the whole field when absent. */
  readonly offset?: number;
  readonly length?: number;
  readonly message: string;
  readonly expected?: string;
  readonly help?: string;
}
