/** The problem of a rule that parses but can't work, before its file and line are known. @module */
import type { Code } from "../diagnostic/codes.ts";

/** One error in a rule, with the path of its field and the position in the field's text. */
export interface RuleProblem {
  readonly code: Code;
  readonly rule: string;
  /** The field: `["pattern"]`, `["whitelist", "commands", 2]`. */
  readonly path: readonly (string | number)[];
  /** The UTF-16 offset in the field's text; absent for the whole field. */
  readonly offset?: number;
  readonly length?: number;
  readonly message: string;
  readonly expected?: string;
  readonly help?: string;
}
