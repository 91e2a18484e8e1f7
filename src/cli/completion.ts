/**
 * The verb `completion`: prints a script that completes verbs and flags in a shell.
 *
 * @module
 */
import { didYouMeanOneOf } from "../engine/diagnostic/suggest.ts";
import type { World } from "./service/world.ts";
import { complainOfUsage } from "./complain.ts";
import { COMPLETIONS } from "./completion_script.ts";
import type { Verb, VerbInput } from "./verb.ts";
import { loadVerbs } from "./verbs.ts";

/** `dragoman completion SHELL`. */
export const completion: Verb = {
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
  run,
};

async function run({ positionals: [shell = ""] }: VerbInput, world: World): Promise<number> {
  const write = Object.hasOwn(COMPLETIONS, shell) ? COMPLETIONS[shell] : undefined;
  if (write === undefined) {
    const message = shell === "" ? "No shell is named" : `Unknown shell \`${shell}\``;
    return complainOfUsage({ message, help: didYouMeanOneOf(shell, Object.keys(COMPLETIONS)) }, world);
  }
  world.stdout(write(await loadVerbs()));
  return 0;
}
