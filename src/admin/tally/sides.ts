/** Compares the two sides of the canary: the answers that were converted with those that were not. @module */
import type { Tally } from "./tally.ts";
import { compareMeans, compareShares, type Comparison, type Sample, type Share } from "./two_proportion.ts";

interface Sides {
  readonly live: Tally;
  readonly excluded: Tally;
}

export interface SideComparison {
  /** The live side's share of the answers; null without answers. */
  readonly share: number | null;
  /** One sentence on which differences can be chance, of shares and of times. */
  readonly sentence: string;
}

const COMPARED: readonly { readonly name: string; readonly result: (sides: Sides) => Comparison }[] = [
  { name: "errors", result: shares(({ errors, requests }) => ({ part: errors, whole: requests })) },
  {
    name: "calls that reached the agent as text",
    result: shares(({ reachedAsText, printedCalls }) => ({ part: reachedAsText, whole: printedCalls })),
  },
  {
    name: "success",
    result: shares(({ transformed, wouldTransform, attempts }) => ({
      part: transformed + wouldTransform,
      whole: attempts,
    })),
  },
  {
    name: "the time to the first token",
    result: means(({ begun, firstLog, firstLogSquares }) => ({
      count: begun,
      sum: firstLog,
      squares: firstLogSquares,
    })),
  },
  {
    name: "the total time",
    result: means(({ requests, durationLog, durationLogSquares }) => ({
      count: requests,
      sum: durationLog,
      squares: durationLogSquares,
    })),
  },
];

function shares(of: (side: Tally) => Share): (sides: Sides) => Comparison {
  return ({ live, excluded }) => compareShares(of(live), of(excluded));
}

function means(of: (side: Tally) => Sample): (sides: Sides) => Comparison {
  return ({ live, excluded }) => compareMeans(of(live), of(excluded));
}

/** Compares the sides' shares of errors, of calls that reached the agent as text and of successful ones, and their times. */
export function compareSides(sides: Sides): SideComparison {
  const { live, excluded } = sides;
  const answers = live.answers + excluded.answers;
  const compared = COMPARED.map(({ name, result }) => ({ name, result: result(sides) }));
  const named = (...wanted: Comparison[]) =>
    list(compared.filter(({ result }) => wanted.includes(result)).map(({ name }) => name));
  const real = named("not_chance");
  const few = named("too_few");
  const tested = named("same", "can_be_chance");
  const parts = [
    ...(real === "" ? [] : [`The sides differ in ${real} by more than chance`]),
    ...(tested === "" ? [] : [`${real === "" ? "N" : "n"}o difference in ${tested} is more than chance`]),
    ...(few === "" ? [] : [`for ${few}, there are too few requests to tell`]),
  ];
  const sentence = parts.join("; ");
  return {
    share: answers === 0 ? null : live.answers / answers,
    sentence: `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`,
  };
}

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
