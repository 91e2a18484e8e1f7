/**
 * What a verb and a running server may touch besides the network: the terminal, the environment, the working
 * directory, and the signal that ends them. Tests pass their own.
 *
 * @module
 */

/** The world around the program. */
export interface World {
  /** Writes text to the standard output as it is; no newline is added. */
  stdout(text: string): void;
  /** Writes text to the standard error as it is. */
  stderr(text: string): void;
  /** Reads the standard input to its end, as UTF-8. */
  readStdin(): Promise<string>;
  /** Whether the standard output is a terminal that shows colours. */
  readonly isTerminal: boolean;
  /** The environment: one variable, or undefined where it is not set. */
  readEnvironment(name: string): string | undefined;
  /** The working directory: relative paths start here. */
  readonly workingDirectory: string;
  /** Ends long-running verbs (Ctrl-C). */
  readonly signal: AbortSignal;
}
