/** Completion in the editor: what can be written at the cursor. @module */
import { replaceStretch, type Selected } from "./editor_commands.ts";
import type { Choice } from "./protocol.ts";
import { yamlPlace } from "./yaml_path.ts";

/** Gives what can be written at a place. */
export type GiveChoices = (
  path: readonly (string | number)[],
  isValue: boolean,
) => Promise<readonly Choice[]>;

export interface Completion {
  readonly choices: readonly Choice[];
  readonly selected: number;
  /** The stretch that a choice replaces. */
  readonly from: number;
  readonly to: number;
  readonly isValue: boolean;
}

/** The choices at a cursor; undefined if there are none. Between words, a person asks for them. */
export async function findCompletion(
  { text, cursor, isAsked }: { readonly text: string; readonly cursor: number; readonly isAsked: boolean },
  complete: GiveChoices,
): Promise<Completion | undefined> {
  const place = yamlPlace(text, cursor);
  if (place === undefined || (!isAsked && place.from === cursor && !place.isValue)) return undefined;
  const { path, isValue, from } = place;
  const choices = choicesFor(text.slice(from, cursor), await complete(path, isValue));
  return choices.length === 0 ? undefined : { choices, selected: 0, from, to: cursor, isValue };
}

/** The choices that contain a word, those that begin with it first. */
function choicesFor(word: string, choices: readonly Choice[]): Choice[] {
  const places = choices.map((choice) => ({ choice, at: choice.label.indexOf(word) }));
  return places.filter(({ at }) => at >= 0)
    .sort((one, other) => Number(one.at > 0) - Number(other.at > 0)).map(({ choice }) => choice);
}

export function takeChoice(text: string, { from, to, isValue }: Completion, { label }: Choice): Selected {
  return replaceStretch(text, [from, to], isValue ? label : `${label}: `);
}

export function moveChoice(completion: Completion, step: 1 | -1): Completion {
  const { length } = completion.choices;
  return { ...completion, selected: (completion.selected + step + length) % length };
}
