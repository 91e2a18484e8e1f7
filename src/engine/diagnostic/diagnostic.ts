/** An error as a value, never thrown: what happened, where, what was expected, how to fix it. @module */
import type { Code } from "./codes.ts";

/** A location in a file: line and column count from 1, in UTF-16 units. */
export interface Location {
  /** The file's path as it is shown. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
  /** The number of characters that the caret marks; 1 if unknown. */
  readonly length: number;
  /** The full text of that line. */
  readonly text: string;
}

/** One error or warning. */
export interface Diagnostic {
  /** The code, for `dragoman explain`. */
  readonly code: Code;
  /** An error prevents startup. */
  readonly severity: "error" | "warning";
  /** What happened: sentence case, no full stop. */
  readonly message: string;
  /** The location, if there is a file. */
  readonly location?: Location;
  /** What was expected there. */
  readonly expected?: string;
  /** How to fix it. */
  readonly help?: string;
}
