/** Checks whether a text is one line of simple commands with listed words. Whatever a shell could expand fails. @module */
import { parse } from "unbash";

type Statement = ReturnType<typeof parse>["commands"][number];
type Command = Statement["command"];
type Word = NonNullable<Extract<Command, { type: "Command" }>["name"]>;
type WordPart = NonNullable<Word["parts"]>[number];

/** The longest line that can pass. */
const LENGTH_MAXIMUM = 4096;

/** Parts of a word that consist only of their own text. */
const PLAIN: readonly WordPart["type"][] = ["Literal", "Glob", "SingleQuoted", "DoubleQuoted"];

/**
 * Checks a shell text against the allowed first words.
 *
 * @example
 * ```ts
 * import { isAllowedCommand } from "./shell.ts";
 * console.assert(isAllowedCommand("npm test && ls | cat", ["npm", "ls", "cat"]));
 * console.assert(!isAllowedCommand("ls $(rm -rf .)", ["ls"]));
 * ```
 */
export function isAllowedCommand(text: string, words: readonly string[]): boolean {
  const line = text.trim();
  if (line === "" || line.includes("\n") || line.includes("\r") || line.length > LENGTH_MAXIMUM) return false;
  const script = parse(line);
  if (script.errors && script.errors.length > 0) return false;
  return script.commands.length > 0 &&
    script.commands.every((statement) => !statement.background && isAllowed(statement.command, words));
}

function isAllowed(node: Command | Statement, words: readonly string[]): boolean {
  switch (node.type) {
    case "Statement":
      return !node.background && isAllowed(node.command, words);
    case "AndOr":
    case "Pipeline":
      return node.commands.every((command) => isAllowed(command, words));
    case "Command":
      return node.name !== undefined && node.prefix.length === 0 && isPlain(node.name) &&
        words.includes(node.name.value) &&
        node.suffix.every((part) => part.type === "Word" && isPlain(part));
    default:
      return false;
  }
}

function isPlain(word: Word): boolean {
  return arePlain(word.parts ?? []);
}

function arePlain(parts: readonly WordPart[]): boolean {
  return parts.every((part) =>
    PLAIN.includes(part.type) && (part.type !== "DoubleQuoted" || arePlain(part.parts))
  );
}
