/**
 * A mistake as a value: what happened, where, what was expected, how to mend it. Diagnostics are collected and
 * shown all at once, never thrown.
 *
 * @module
 */
import type { Code } from "./codes.ts";

/** A place in a file: line and column count from 1, in UTF-16 units. */
export interface Location {
  /** The file's path as people see it. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
  /** How many characters the caret marks; 1 when unknown. */
  readonly length: number;
  /** The whole text of that line. */
  readonly text: string;
}

/** One mistake or warning. */
export interface Diagnostic {
  /** The mistake's kind, as `dragoman explain` takes it. */
  readonly code: Code;
  /** Whether it forbids to start. */
  readonly severity: "error" | "warning";
  /** What happened: sentence case, no full stop. */
  readonly message: string;
  /** Where; absent only where there is no file. */
  readonly location?: Location;
  /** What was expected there. */
  readonly expected?: string;
  /** How to mend it. */
  readonly help?: string;
}
