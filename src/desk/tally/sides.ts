/**
 * Compares the two sides of the canary: the answers that were converted with those that were not.
 *
 * @module
 */
import type { Figures } from "./tally.ts";
import { compareShares, type Share } from "./two_proportion.ts";

/** The two sides. */
export interface Sides {
  /** The converted answers. */
  readonly live: Figures;
  /** The answers that the canary excluded. */
  readonly excluded: Figures;
}

/** The comparison. */
export interface SideComparison {
  /** The live side's share of the answers; null without answers. */
  readonly share: number | null;
  /** One sentence on which differences can be chance, by a two-proportion test. */
  readonly sentence: string;
}

/** The compared shares, each with the words for it. */
const SHARES: readonly { readonly name: string; readonly of: (side: Figures) => Share }[] = [
  { name: "errors", of: ({ errors, requests }) => ({ part: errors, whole: requests }) },
  { name: "leaks", of: ({ leaked, answers }) => ({ part: leaked, whole: answers }) },
  {
    name: "success",
    of: ({ transformed, wouldTransform, attempts }) => ({
      part: transformed + wouldTransform,
      whole: attempts,
    }),
  },
];

/** Compares the sides' shares of errors, leaks and successful calls. */
export function compareSides({ live, excluded }: Sides): SideComparison {
  const answers = live.answers + excluded.answers;
  const compared = SHARES.map(({ name, of }) => ({ name, result: compareShares(of(live), of(excluded)) }));
  const named = (...wanted: string[]) =>
    list(compared.filter(({ result }) => wanted.includes(result)).map(({ name }) => name));
  const real = named("not_chance");
  const few = named("too_few");
  const parts = [
    real === ""
      ? "No difference between the sides is more than chance"
      : `The sides differ in ${real} by more than chance`,
    ...(few === "" ? [] : [`for ${few}, there are too few requests to tell`]),
  ];
  return { share: answers === 0 ? null : live.answers / answers, sentence: `${parts.join("; ")}.` };
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
