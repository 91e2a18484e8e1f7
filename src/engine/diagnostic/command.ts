/** Commands in messages. Texts name the program `dragoman`; a clone, a package and a binary start it in other ways. @module */

export const PROGRAM = "dragoman";

/**
 * A message of the program with each `dragoman VERB` written as the command that works for the user. Never pass it text
 * of a model or of a file.
 *
 * @example
 * ```ts
 * import { withCommand } from "./command.ts";
 * console.assert(withCommand("run `dragoman check`", "npx dragoman") === "run `npx dragoman check`");
 * console.assert(withCommand("see dragoman.yaml", "npx dragoman") === "see dragoman.yaml");
 * ```
 */
export function withCommand(text: string, command: string): string {
  return text.replace(/(?<![^\s`])dragoman(?= [a-zA-Z[<-])/g, () => command);
}
