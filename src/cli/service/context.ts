/** The surroundings of a verb and of a running server: terminal, environment, folder, signals. Tests pass their own. @module */

import type { PrintOptions } from "../../engine/diagnostic/print.ts";

export interface CliContext {
  /** Writes text to standard output, without adding a newline. */
  stdout(text: string): void;
  /** Writes text to standard error, without adding a newline. */
  stderr(text: string): void;
  /** Reads standard input to its end, as UTF-8. */
  readStdin(): Promise<string>;
  /** Asks a person on the terminal for a line; missing without a terminal. */
  readonly ask?: ((question: string) => string | undefined) | undefined;
  /** Whether standard output is a terminal that shows colors. */
  readonly isTerminal: boolean;
  /** Whether standard output is a terminal, with or without colors. */
  readonly isTty: boolean;
  readEnvironment(name: string): string | undefined;
  /** How a person starts the program again, for commands that are printed: `dragoman`, `deno task dragoman`. */
  readonly command: string;
  /** The working directory, where relative paths start. */
  readonly workingDirectory: string;
  /** Ends long-running verbs. Its reason is the name of the operating system's signal: SIGINT after Ctrl-C. */
  readonly signal: AbortSignal;
  /** Calls back for each request of the system to reload (SIGHUP); missing where there is none. */
  readonly onReload?: ((reload: () => void) => void) | undefined;
}

/** How diagnostics are printed in a context: with its colors, and with commands as its user writes them. */
export function printing({ isTerminal, command }: CliContext): PrintOptions {
  return { colors: isTerminal, command };
}
