/** What to print if Deno refuses what the program needs: the flags to start it with, instead of a stack trace. @module */

/** What every verb needs, and what the server needs besides. */
const FLAGS = "--allow-net --allow-read --allow-env --allow-write=logs,captures,my_rules";

/** The words with which Deno refuses, also where it wraps the error. */
const REFUSAL = "run again with the --allow-";

/** The text for a missing permission; undefined if an error is about something else. */
export function permissionHelp(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Deno.errors.NotCapable) && !message.includes(REFUSAL)) return undefined;
  const what = message.replace(/, run again with .*$/s, "");
  return `error: Deno does not allow what Dragoman needs: ${what}\n` +
    "  = help: `deno task start` starts the server with its permissions, and `deno task dragoman VERB` any verb;\n" +
    `          or write \`deno run ${FLAGS} main.ts\`: without --allow-write, nothing is written\n`;
}
