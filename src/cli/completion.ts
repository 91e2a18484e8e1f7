/** The verb `completion`: prints a script that completes verbs, flags and names in a shell. @module */
import { didYouMeanOneOf } from "../engine/diagnostic/suggest.ts";
import type { CliContext } from "./service/context.ts";
import { complainOfUsage } from "./complain.ts";
import type { CompletedNames, Verb, VerbOption } from "./verb.ts";
import { shippedPlugins } from "../proxy/plugin/shipped_page.ts";
import { loadClients } from "../chat/client/load.ts";
import { loadRules } from "../engine/rule/load.ts";
import { loadSetupConfig, ruleSettings } from "./service/setup.ts";
import { PROGRAM } from "../engine/diagnostic/command.ts";
import { HELP_OPTION } from "./arguments.ts";

/** The verb, which completes the verbs that `loadVerbs` gives. */
export function completionOf(loadVerbs: () => Promise<readonly Verb[]>): Verb {
  return {
    name: "completion",
    summary: "Print a completion script for bash, zsh, or fish",
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
      context.stdout(write(await loadVerbs(), await loadNames(context)));
      return 0;
    },
  };
}

function complainOfShell(shell: string, context: CliContext): number {
  const message = shell === "" ? "No shell is specified" : `Unknown shell \`${shell}\``;
  return complainOfUsage({ message, help: didYouMeanOneOf(shell, Object.keys(COMPLETIONS)) }, context);
}

/** The names that the script completes; those of rules and clients are of the configuration in the working directory. */
export type Names = Readonly<Record<Extract<CompletedNames, string>, readonly string[]>>;

/** Loads the names. Plugins of the configuration aren't loaded: a shell that starts in a folder must not run its code. */
export async function loadNames(context: CliContext): Promise<Names> {
  const config = await loadSetupConfig({}, context);
  const { workingDirectory } = context;
  const [{ rules }, { clients }, plugins, { ALL_CODES }] = await Promise.all([
    loadRules({ folders: config.ruleFolders, settings: ruleSettings(config), workingDirectory }),
    loadClients({ folders: config.clientFolders, workingDirectory }),
    shippedPlugins(),
    import("./explain.ts"),
  ]);
  return {
    rules: rules.map(({ rule }) => rule),
    clients: clients.map(({ client }) => client),
    plugins: plugins.map(({ name }) => name),
    codes: ALL_CODES,
  };
}

/** Shell → what writes its script. */
export const COMPLETIONS: Readonly<Record<string, (verbs: readonly Verb[], names: Names) => string>> = {
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

/** What a shell completes after a word of a verb: a flag with a value, or after its first words. */
interface Completed {
  readonly flags: readonly string[];
  readonly names: CompletedNames;
}

/** The flags with values, those with the same names together. A value without names is the name of a file. */
function valuesOf(verb: Verb): readonly Completed[] {
  return Object.entries(optionsOf(verb)).filter(([, { type }]) => type === "string").map((
    [name, { short, values = [] }],
  ) => ({ flags: [`--${name}`, ...(short === undefined ? [] : [`-${short}`])], names: values }));
}

/** The words of a list: a variable of the script has those of rules and the like, so that each is there once. */
function listOf(names: CompletedNames): string {
  return typeof names === "string" ? `$_${PROGRAM}_${names}` : names.join(" ");
}

/*
 * In bash, the function gets the words of the line and fills COMPREPLY. If that stays empty, `-o default` completes the
 * names of files.
 */
function bashScript(verbs: readonly Verb[], lists: Names): string {
  const names = verbs.map(({ name }) => name);
  const cases = verbs.map((verb) => {
    const flags = flagsOf(verb).map(([name]) => name);
    const { words = [], operands = [] } = verb;
    const later = words.length > 0 ? `[ $COMP_CWORD -gt 2 ] && words="${listOf(operands)}"` : ":";
    const first = words.length > 0 ? words.join(" ") : listOf(operands);
    return `    ${verb.name}) flags='${flags.join(" ")}'; words="${first}"; ${later} ;;`;
  });
  const values = verbs.flatMap((verb) =>
    valuesOf(verb).map(({ flags, names }) =>
      `    ${flags.map((flag) => `'${verb.name} ${flag}'`).join("|")}) flags=; words="${listOf(names)}" ;;`
    )
  );
  return [
    ...Object.entries(lists).map(([name, words]) => `_${PROGRAM}_${name}='${words.join(" ")}'`),
    `_${PROGRAM}() {`,
    "  local current=${COMP_WORDS[COMP_CWORD]} flags= words=",
    "  COMPREPLY=()",
    '  case $([ $COMP_CWORD -gt 1 ] && echo "${COMP_WORDS[1]}") in',
    `    '') words='${[...names, ...Object.keys(FIRST_WORDS)].join(" ")}' ;;`,
    `    help) words='${names.join(" ")}' ;;`,
    ...cases,
    "  esac",
    '  [ $COMP_CWORD -gt 2 ] && case "${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}" in',
    ...values,
    "  esac",
    '  if [[ $current == -* ]]; then words="$words $flags"; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    `complete -o default -F _${PROGRAM} ${PROGRAM}`,
    "",
  ].join("\n");
}

function zshScript(verbs: readonly Verb[], lists: Names): string {
  const pairs = (list: readonly (readonly [string, string])[]) =>
    list.map(([name, text]) => quoted(`${name}:${text}`, "'\\''")).join(" ");
  const cases = verbs.map((verb) => {
    const { words = [], operands = [] } = verb;
    const first = words.length > 0 ? words.join(" ") : zshList(operands);
    const later = words.length > 0 ? `(( CURRENT > 3 )) && words_of=(${zshList(operands)})` : ":";
    return `    ${verb.name}) flags=(${pairs(flagsOf(verb))}); words_of=(${first}); ${later} ;;`;
  });
  const values = verbs.flatMap((verb) =>
    valuesOf(verb).map(({ flags, names }) =>
      `    ${flags.map((flag) => `'${verb.name} ${flag}'`).join("|")}) words_of=(${zshList(names)}) ;;`
    )
  );
  const names: [string, string][] = verbs.map(({ name, summary }) => [name, summary]);
  return [
    `#compdef ${PROGRAM}`,
    ...Object.entries(lists).map(([name, words]) => `_${PROGRAM}_${name}=(${words.join(" ")})`),
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
    '  (( CURRENT > 3 )) && case "$words[2] $words[CURRENT-1]" in',
    ...values,
    "  esac",
    "  if [[ $PREFIX == -* ]]; then _describe -o flag flags; return; fi",
    "  (( $#words_of )) && _describe word words_of",
    "  _files",
    "}",
    `(( $+functions[compdef] )) && compdef _${PROGRAM} ${PROGRAM}`,
    "",
  ].join("\n");
}

function zshList(names: CompletedNames): string {
  return typeof names === "string" ? listOf(names) : names.map((name) => quoted(name, "'\\''")).join(" ");
}

function fishScript(verbs: readonly Verb[], lists: Names): string {
  const line = (condition: string, rest: string) => `complete -c ${PROGRAM} -n '${condition}' ${rest}`;
  const text = (words: string) => `-d ${quoted(words.replaceAll("\\", "\\\\"), "\\'")}`;
  const first = Object.entries(FIRST_WORDS).map(([word, words]) =>
    line("__fish_use_subcommand", `-a ${word} ${text(words)}`)
  );
  const ofVerbs = verbs.flatMap((verb) => {
    const seen = `__fish_seen_subcommand_from ${verb.name}`;
    const flags = Object.entries(optionsOf(verb)).map(([name, { short, type, description, values = [] }]) => {
      const letter = short === undefined ? "" : ` -s ${short}`;
      const names = values.length === 0 ? "" : ` -f -a "${listOf(values)}"`;
      const value = type === "string" ? ` -r${names}` : "";
      return line(seen, `-l ${name}${letter}${value} ${text(description)}`);
    });
    const { words: first = [], operands = [] } = verb;
    const isLater = first.length === 0 ? seen : `${seen}; and __fish_seen_subcommand_from ${first.join(" ")}`;
    const words = [
      ...first.map((word) => line(seen, `-a ${word}`)),
      ...(operands.length === 0 ? [] : [line(isLater, `-a "${listOf(operands)}"`)]),
    ];
    return [line("__fish_use_subcommand", `-a ${verb.name} ${text(verb.summary)}`), ...words, ...flags];
  });
  const help = line("__fish_seen_subcommand_from help", `-a '${verbs.map(({ name }) => name).join(" ")}'`);
  const sets = Object.entries(lists).map(([name, words]) => `set -g _${PROGRAM}_${name} ${words.join(" ")}`);
  return [...sets, ...first, ...ofVerbs, help, ""].join("\n");
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
