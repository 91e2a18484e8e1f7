/** Asks a person to choose from a list on the terminal, by name or by number. @module */
import { visible } from "../engine/diagnostic/visible.ts";
import type { CliContext } from "./service/context.ts";

export interface Question {
  readonly text: string;
  /** The answers, the most likely one first. */
  readonly choices: readonly string[];
  readonly notes?: Readonly<Record<string, string>>;
  readonly isOpen?: boolean;
}

/** How often a wrong answer is asked for again; then the first choice counts. */
const TRIES = 3;

/** The chosen answer; the first one if the context has no person to ask, or the person only presses Enter. */
export function choose({ text, choices, notes = {}, isOpen = false }: Question, context: CliContext): string {
  const preset = choices[0] ?? "";
  if (context.ask === undefined) return preset;
  const lines = choices.map((choice, index) => {
    const note = notes[choice];
    return `  ${String(index + 1).padStart(2)}  ${visible(choice)}${note === undefined ? "" : `  (${note})`}`;
  });
  context.stdout(`${text}\n${lines.join("\n")}\n`);
  for (let left = TRIES; left > 0; left--) {
    const answer = context.ask(`Name or number [${visible(preset)}]:`)?.trim() ?? "";
    if (answer === "") return preset;
    const chosen = choices.find((choice) => choice === answer) ?? choices[Number(answer) - 1];
    if (chosen !== undefined || isOpen) return chosen ?? answer;
    context.stdout(`\`${visible(answer)}\` is not in the list\n`);
  }
  return preset;
}
