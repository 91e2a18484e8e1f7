/** The verb `completion`: prints a script that completes verbs and flags in a shell. @module */
import { didYouMeanOneOf } from "../engine/diagnostic/suggest.ts";
import type { World } from "./service/world.ts";
import { complainOfUsage } from "./complain.ts";
import { COMPLETIONS } from "./completion_script.ts";
import type { Verb } from "./verb.ts";

/**
 * `dragoman completion SHELL`.
 *
 * @param loadVerbs loads the verbs that the script completes
 */
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
    run: async ({ positionals: [shell = ""] }, world) => {
      const write = Object.hasOwn(COMPLETIONS, shell) ? COMPLETIONS[shell] : undefined;
      if (write === undefined) return complainOfShell(shell, world);
      world.stdout(write(await loadVerbs()));
      return 0;
    },
  };
}

function complainOfShell(shell: string, world: World): number {
  const message = shell === "" ? "No shell is named" : `Unknown shell \`${shell}\``;
  return complainOfUsage({ message, help: didYouMeanOneOf(shell, Object.keys(COMPLETIONS)) }, world);
}
