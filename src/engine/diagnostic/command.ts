/** Commands in messages. Texts name the program `dragoman`; a clone, a package and a binary start it in other ways. @module */

export const PROGRAM = "dragoman";

/**
 * A message of the program with each `dragoman VERB` written as the command that works for the user. Never pass it text
 * of a model or of a file.
 */
export function withCommand(text: string, command: string): string {
  return text.replace(/(?<![^\s`])dragoman(?= [a-zA-Z[<-])/g, () => command);
}
