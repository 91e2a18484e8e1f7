/**
 * A world for verbs under test: what they print is kept, what they read is given.
 *
 * @module
 */
import type { CliContext } from "../../src/cli/service/context.ts";

/** What a test gives a verb. */
export interface WorldOptions {
  /** The working directory; default: a folder without a configuration, because a clone can have one. */
  readonly workingDirectory?: string;
  /** The environment; default: empty. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What is on the standard input. */
  readonly stdin?: string;
}

/** A world whose output can be read. */
export interface TestContext extends CliContext {
  readonly printed: { stdout: string; stderr: string };
}

/** A world without terminal, colors and environment. */
export function createTestContext(options: WorldOptions = {}): TestContext {
  const printed = { stdout: "", stderr: "" };
  return {
    printed,
    stdout: (text) => void (printed.stdout += text),
    stderr: (text) => void (printed.stderr += text),
    readStdin: () => Promise.resolve(options.stdin ?? ""),
    isTerminal: false,
    isTty: false,
    readEnvironment: (name) => options.environment?.[name],
    command: "dragoman",
    workingDirectory: options.workingDirectory ?? import.meta.dirname!,
    signal: new AbortController().signal,
  };
}
