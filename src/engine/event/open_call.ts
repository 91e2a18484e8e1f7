/** A call where one of its parameters begins: what decides whether it can leave while it is still read. @module */

/** A call that is being read, where one of its parameters begins. */
export interface OpenCall {
  readonly rule: string;
  /** The offered tool's own name. */
  readonly tool: string;
  /** The name that the model wrote. */
  readonly written: string | undefined;
  readonly parameter: string;
  readonly before: ReadonlySet<string>;
  /** Their values as JSON text; those that are too long to be compared are missing. */
  readonly values: ReadonlyMap<string, string>;
}
