/**
 * Runs a verb of the command line in a test.
 *
 * @module
 */
import type { Verb, VerbInput } from "../../src/cli/verb.ts";
import { temporaryFolder } from "./temporary_folder.ts";
import { createTestContext, type WorldOptions } from "./context.ts";

/** What the verb gets; without `files`, it runs in a folder without a configuration. */
export interface VerbRun extends Partial<VerbInput>, WorldOptions {
  /** The files of its working directory: path → text. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Runs a verb; gives its exit code, what it printed, and its working directory. */
export async function runVerb(verb: Verb, { values = {}, positionals = [], files, ...options }: VerbRun) {
  const folder = files === undefined ? {} : { workingDirectory: await temporaryFolder(files) };
  const context = createTestContext({ ...options, ...folder });
  const code = await verb.run({ values, positionals }, context);
  return { code, workingDirectory: context.workingDirectory, ...context.printed };
}
