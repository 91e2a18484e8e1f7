/** The most important figures as tiles, on the page and in the report. @module */
import { count, duration, share } from "../../engine/diagnostic/figures.ts";
import type { Figures } from "../tally/tally.ts";

/** A figure with its name, and which way is better. */
export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  /** `good` or `bad`; absent where neither is. */
  readonly mood?: "good" | "bad" | undefined;
  readonly better?: "lower" | "higher";
}

/** The mood of a count of which none is best. */
function moodOfCount(number: number, whole: number): Tile["mood"] {
  return whole === 0 ? undefined : number === 0 ? "good" : "bad";
}

function moodOfShare(share: number | null): Tile["mood"] {
  return share === null ? undefined : share >= GOOD_SHARE ? "good" : "bad";
}

const GOOD_SHARE = 0.95;

export function tilesOf(all: Figures): readonly Tile[] {
  const made = all.transformed + all.wouldTransform;
  return [
    {
      name: "Requests",
      value: count(all.requests),
      note: `${count(all.errors)} with an error`,
      mood: all.errors > 0 ? "bad" : undefined,
    },
    {
      name: "Answers that printed calls as text",
      value: share(all.printedAsTextRate),
      note: `${count(all.printedAsText)} of ${count(all.answers)} answers: the model’s habit, not an error`,
    },
    {
      name: "Calls that reached the agent as text",
      value: count(all.reachedAsText),
      note: `of ${count(all.printedCalls)} calls that were printed as text`,
      mood: moodOfCount(all.reachedAsText, all.printedCalls),
      better: "lower",
    },
    {
      name: "Success",
      value: share(all.successRate),
      note: `${count(made)} of ${count(all.attempts)} calls that a rule recognized`,
      mood: moodOfShare(all.successRate),
      better: "higher",
    },
    {
      name: "Accepted",
      value: share(all.acceptanceRate),
      note: `the agent ran ${count(all.accepted)} of ${count(all.accepted + all.rejected)} calls`,
      mood: moodOfShare(all.acceptanceRate),
      better: "higher",
    },
    {
      name: "Near misses",
      value: count(all.nearMisses),
      note: "texts like a call that no rule reads",
      mood: moodOfCount(all.nearMisses, all.answers),
      better: "lower",
    },
    { name: "First token", value: duration(all.firstMsMean), note: "mean time", better: "lower" },
    { name: "Total", value: duration(all.durationMsMean), note: "mean time", better: "lower" },
    {
      name: "Dragoman’s share",
      value: duration(all.addedMsMean),
      note: `mean; at most ${duration(all.addedMsMax)}`,
      better: "lower",
    },
  ];
}
