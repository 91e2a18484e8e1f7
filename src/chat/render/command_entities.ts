/**
 * Decodes the HTML entities of a shell command that a model escaped: `npm test 2&gt;&1` → `npm test 2>&1`.
 *
 * Outside quotes, a shell takes `&gt;` for the end of a command and the name of the next one, which no one means. In quotes it
 * can be meant, so the whole command stays if only its quotes have entities, or if it isn't clear what is in them.
 *
 * @module
 */

const CHARACTERS: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
};
const ENTITIES = Object.keys(CHARACTERS);

/** What a shell reads as text that follows, in which entities can be meant. */
const HEREDOC = "<<";

/**
 * @example
 * ```ts
 * import { decodeCommand } from "./command_entities.ts";
 * console.assert(decodeCommand("npm test 2&gt;&1") === "npm test 2>&1");
 * console.assert(decodeCommand("grep '&gt;' a.html") === "grep '&gt;' a.html");
 * ```
 */
export function decodeCommand(command: string): string {
  let decoded = "";
  let hasSign = false;
  let quote = "";
  let isQuoted = false;
  let isBare = false;
  for (let at = 0; at < command.length;) {
    const entity = command[at] === "&" ? ENTITIES.find((text) => command.startsWith(text, at)) : undefined;
    if (entity !== undefined) {
      if (quote === "") isBare = true;
      else isQuoted = true;
      decoded += CHARACTERS[entity];
      at += entity.length;
      continue;
    }
    const character = command[at]!;
    const isEscaped = character === "\\" && quote !== "'";
    const text = isEscaped ? command.slice(at, at + 2) : character;
    if (quote === character) quote = "";
    else if (quote === "" && (character === '"' || character === "'")) quote = character;
    hasSign ||= "<>&".includes(text.at(-1)!);
    decoded += text;
    at += text.length;
  }
  const isWhole = quote === "" && !decoded.includes(HEREDOC);
  return isBare && isWhole && !(isQuoted && hasSign) ? decoded : command;
}
