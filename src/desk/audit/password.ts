/**
 * Finds passwords in flags of commands and in URLs. It runs no regular expression, because the text comes from a model.
 *
 * @module
 */

/** A stretch of a text. */
export interface Stretch {
  /** Where it starts. */
  readonly start: number;
  /** Where it ends. */
  readonly end: number;
}

/** The longest part of a line in which a command may stand before its flag. */
const COMMAND_MAX = 200;

/** Commands whose `-p` takes a password without a blank. */
const PASSWORD_COMMANDS = ["mysql", "mariadb", "sshpass"];

/** `-u user:password` and `--user user:password`: what follows the colon. `mysql -psecret`: what follows the `-p`. */
export function secretInFlag(text: string, { start, end }: Stretch): Stretch | undefined {
  const word = text.slice(start, end);
  if (word === "-u" || word === "--user" || word === "--proxy-user") {
    let from = end;
    while (from < end + 3 && " ='\"".includes(text.charAt(from))) from++;
    const until = blankAfter(text, from);
    const colon = text.indexOf(":", from);
    return from > end && colon > from && colon + 1 < until ? { start: colon + 1, end: until } : undefined;
  }
  if (!word.startsWith("-p") || word.length < 4) return undefined;
  const line = text.slice(Math.max(0, start - COMMAND_MAX), start);
  const command = line.slice(line.lastIndexOf("\n") + 1);
  if (!PASSWORD_COMMANDS.some((name) => command.includes(name))) return undefined;
  return { start: start + 2, end: blankAfter(text, end) };
}

/** `scheme://user:password@host`, after the scheme: the password. */
export function secretInUrl(text: string, schemeEnd: number): Stretch | undefined {
  if (!text.startsWith("://", schemeEnd)) return undefined;
  const start = schemeEnd + 3;
  let end = start;
  while (end < text.length && !" \t\r\n/?#<>\"'`".includes(text.charAt(end))) end++;
  const at = text.lastIndexOf("@", end);
  const colon = text.indexOf(":", start);
  return colon >= start && colon + 1 < at && at < end ? { start: colon + 1, end: at } : undefined;
}

/** The first blank, quotation mark or separator at or after an offset. */
export function blankAfter(text: string, at: number): number {
  let end = at;
  while (end < text.length && !" \t\r\n,;&<>\"'`".includes(text.charAt(end))) end++;
  return end;
}
