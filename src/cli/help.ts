/** Writes the pages of `--help` from the verbs themselves. @module */
import { PROGRAM, withCommand } from "../engine/diagnostic/command.ts";
import { HELP_OPTION } from "./arguments.ts";
import type { Verb, VerbOption } from "./verb.ts";
import { wrapText } from "./wrap.ts";

const WIDTH = 100;

export function programHelp(
  verbs: readonly Verb[],
  { version, command = PROGRAM }: { readonly version: string; readonly command?: string },
): string {
  const lines = [
    `dragoman ${version}: converts tool calls that a model prints as text into calls that your agent runs`,
    "",
    "Usage: dragoman [VERB] [FLAGS]        the default verb is serve",
    "",
    "Verbs:",
    ...columns(verbs.map(({ name, summary }) => [name, summary])),
    "",
    "Examples:",
    "  dragoman serve --upstream http://127.0.0.1:8080/v1   # then point your agent at http://127.0.0.1:8787/v1",
    "  dragoman demo                                        # see what it does; no model needed",
    "",
    "`dragoman help VERB` lists a verb's flags. `dragoman --version` prints the version.",
    "",
  ];
  return withCommand(lines.join("\n"), command);
}

export function verbHelp(verb: Verb, command: string = PROGRAM): string {
  const options = Object.entries({ ...verb.options, ...HELP_OPTION });
  const lines = [
    ...wrapText(`${verb.summary}.`, WIDTH).split("\n"),
    "",
    `Usage: dragoman ${verb.usage}`,
    "",
    "Flags:",
    ...columns(options.map(([name, option]) => [flagOf(name, option), explained(option)])),
    "",
    ...verb.signals === undefined ? [] : ["Signals:", ...columns(Object.entries(verb.signals)), ""],
    verb.examples.length === 1 ? "Example:" : "Examples:",
    ...verb.examples.map((example) => `  dragoman ${example}`),
    "",
  ];
  return withCommand(lines.join("\n"), command);
}

/** `-p, --port PORT`. */
function flagOf(name: string, { short, placeholder, type }: VerbOption): string {
  const value = type === "string" ? ` ${placeholder ?? "VALUE"}` : "";
  return `${short === undefined ? "    " : `-${short}, `}--${name}${value}`;
}

function explained({ description, multiple = false }: VerbOption): string {
  return multiple ? `${description}; can be repeated` : description;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length)) + 2;
  return rows.flatMap(([first, text]) => {
    const lines = wrapText(text, WIDTH - width - 2).split("\n");
    return lines.map((line, index) => `  ${(index === 0 ? first : "").padEnd(width)}${line}`);
  });
}
