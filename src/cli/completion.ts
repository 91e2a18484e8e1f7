/** The verb `completion`: prints a script that completes verbs and flags in a shell. @module */
import { didYouMeanOneOf } from "../engine/diagnostic/suggest.ts";
import type { CliContext } from "./service/context.ts";
import { complainOfUsage } from "./complain.ts";
import type { Verb, VerbOption } from "./verb.ts";
import { PROGRAM } from "../engine/diagnostic/command.ts";
import { HELP_OPTION } from "./arguments.ts";

/** The verb, which completes the verbs that `loadVerbs` gives. */
export function completionOf(loadVerbs: () => Promise<readonly Verb[]>): Verb {
  return {
    name: "completion",
    summary: "Print a script that completes verbs and flags in bash, zsh or fish",
    usage: "completion bash|zsh|fish",
    operandsMax: 1,
    words: Object.keys(COMPLETIONS),
    examples: [
      "completion bash >> ~/.bashrc",
      "completion zsh >> ~/.zshrc",
      "completion fish > ~/.config/fish/completions/dragoman.fish",
    ],
    options: {},
    run: async ({ positionals: [shell = ""] }, context) => {
      const write = Object.hasOwn(COMPLETIONS, shell) ? COMPLETIONS[shell] : undefined;
      if (write === undefined) return complainOfShell(shell, context);
      context.stdout(write(await loadVerbs()));
      return 0;
    },
  };
}

function complainOfShell(shell: string, context: CliContext): number {
  const message = shell === "" ? "No shell is named" : `Unknown shell \`${shell}\``;
  return complainOfUsage({ message, help: didYouMeanOneOf(shell, Object.keys(COMPLETIONS)) }, context);
}

/** Shell → what writes its script. */
export const COMPLETIONS: Readonly<Record<string, (verbs: readonly Verb[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Words that can come first besides a verb. */
const FIRST_WORDS: Readonly<Record<string, string>> = {
  "help": "Show the flags of a verb",
  "--help": "Show all verbs",
  "--version": "Print the version",
};

/*
 * In bash, the function gets the words of the line and fills COMPREPLY. If that stays empty, `-o default` completes the
 * names of files.
 */
function bashScript(verbs: readonly Verb[]): string {
  const names = verbs.map(({ name }) => name);
  const cases = verbs.map((verb) => {
    const flags = flagsOf(verb).map(([name]) => name);
    return `    ${verb.name}) flags='${flags.join(" ")}'; words='${(verb.words ?? []).join(" ")}' ;;`;
  });
  return [
    `_${PROGRAM}() {`,
    "  local current=${COMP_WORDS[COMP_CWORD]} flags= words=",
    "  COMPREPLY=()",
    '  case $([ $COMP_CWORD -gt 1 ] && echo "${COMP_WORDS[1]}") in',
    `    '') words='${[...names, ...Object.keys(FIRST_WORDS)].join(" ")}' ;;`,
    `    help) words='${names.join(" ")}' ;;`,
    ...cases,
    "  esac",
    '  if [[ $current == -* ]]; then words="$words $flags"; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    `complete -o default -F _${PROGRAM} ${PROGRAM}`,
    "",
  ].join("\n");
}

function zshScript(verbs: readonly Verb[]): string {
  const pairs = (list: readonly (readonly [string, string])[]) =>
    list.map(([name, text]) => quoted(`${name}:${text}`, "'\\''")).join(" ");
  const cases = verbs.map((verb) => {
    const words = (verb.words ?? []).map((word) => quoted(word, "'\\''")).join(" ");
    return `    ${verb.name}) flags=(${pairs(flagsOf(verb))}); words_of=(${words}) ;;`;
  });
  const names: [string, string][] = verbs.map(({ name, summary }) => [name, summary]);
  return [
    `#compdef ${PROGRAM}`,
    `_${PROGRAM}() {`,
    "  local -a verbs flags words_of",
    `  verbs=(${pairs(names)})`,
    "  if (( CURRENT == 2 )); then",
    `    verbs+=(${pairs(Object.entries(FIRST_WORDS))})`,
    "    _describe verb verbs",
    "    return",
    "  fi",
    "  case $words[2] in",
    "    help) words_of=(${verbs%%:*}) ;;",
    ...cases,
    "  esac",
    "  if [[ $PREFIX == -* ]]; then _describe -o flag flags; return; fi",
    "  (( $#words_of )) && _describe word words_of",
    "  _files",
    "}",
    `(( $+functions[compdef] )) && compdef _${PROGRAM} ${PROGRAM}`,
    "",
  ].join("\n");
}

function fishScript(verbs: readonly Verb[]): string {
  const line = (condition: string, rest: string) => `complete -c ${PROGRAM} -n '${condition}' ${rest}`;
  const text = (words: string) => `-d ${quoted(words.replaceAll("\\", "\\\\"), "\\'")}`;
  const first = Object.entries(FIRST_WORDS).map(([word, words]) =>
    line("__fish_use_subcommand", `-a ${word} ${text(words)}`)
  );
  const ofVerbs = verbs.flatMap((verb) => {
    const seen = `__fish_seen_subcommand_from ${verb.name}`;
    const flags = Object.entries(optionsOf(verb)).map(([name, { short, type, description }]) => {
      const letter = short === undefined ? "" : ` -s ${short}`;
      const value = type === "string" ? " -r" : "";
      return line(seen, `-l ${name}${letter}${value} ${text(description)}`);
    });
    const words = (verb.words ?? []).map((word) => line(seen, `-a ${word}`));
    return [line("__fish_use_subcommand", `-a ${verb.name} ${text(verb.summary)}`), ...words, ...flags];
  });
  const help = line("__fish_seen_subcommand_from help", `-a '${verbs.map(({ name }) => name).join(" ")}'`);
  return [...first, ...ofVerbs, help, ""].join("\n");
}

function optionsOf({ options }: Verb): Readonly<Record<string, VerbOption>> {
  return { ...options, ...HELP_OPTION };
}

/** Every flag with what it does; a short one has the text of the long one. */
function flagsOf(verb: Verb): [string, string][] {
  return Object.entries(optionsOf(verb)).flatMap(([name, { short, description }]) => {
    const long: [string, string] = [`--${name}`, description];
    return short === undefined ? [long] : [long, [`-${short}`, description]];
  });
}

/** In single quotation marks; `escape` is a quotation mark inside. */
function quoted(text: string, escape: string): string {
  return `'${text.replaceAll("'", () => escape)}'`;
}
