/** The most important figures as tiles, on the page and in the report. @module */
import { count, duration, share } from "../../engine/diagnostic/figures.ts";
import type { Figures } from "../tally/tally.ts";

export interface Tile {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  /** `good` or `bad`; absent where neither is. */
  readonly mood?: "good" | "bad" | undefined;
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
      name: "Printed calls as text",
      value: share(all.printedAsTextRate),
      note: `${count(all.printedAsText)} of ${count(all.answers)} answers: the model's habit`,
    },
    {
      name: "Reached the agent as text",
      value: count(all.reachedAsText),
      note: `of ${count(all.printedCalls)} calls that were printed as text`,
      mood: moodOfCount(all.reachedAsText, all.printedCalls),
    },
    {
      name: "Success",
      value: share(all.successRate),
      note: `${count(made)} of ${count(all.attempts)} calls that a rule recognized`,
      mood: moodOfShare(all.successRate),
    },
    {
      name: "Accepted",
      value: share(all.acceptanceRate),
      note: `the agent ran ${count(all.accepted)} of ${count(all.accepted + all.rejected)} calls`,
      mood: moodOfShare(all.acceptanceRate),
    },
    {
      name: "Near misses",
      value: count(all.nearMisses),
      note: "text that looks like a call, but no rule reads it",
      mood: moodOfCount(all.nearMisses, all.answers),
    },
    {
      name: "First token",
      value: duration(all.firstMsMedian),
      note: `p50; p95 ${duration(all.firstMsSlow)}; mean ${duration(all.firstMsMean)}`,
    },
    {
      name: "Total",
      value: duration(all.durationMsMedian),
      note: `p50; p95 ${duration(all.durationMsSlow)}; mean ${duration(all.durationMsMean)}`,
    },
    { name: "Tokens", value: count(all.tokens), note: "as reported by the upstreams" },
    {
      name: "Dragoman’s share",
      value: duration(all.addedMsMean),
      note: `mean; at most ${duration(all.addedMsMax)}`,
    },
  ];
}
