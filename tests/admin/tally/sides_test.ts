import assert from "node:assert/strict";
import { compareSides } from "../../../src/admin/tally/sums.ts";
import { emptyTally, type Tally } from "../../../src/admin/tally/tally.ts";

function side(sums: Partial<Tally>): Tally {
  return { ...emptyTally(), ...sums };
}

/** Times of some requests that are near `milliseconds`, and a little apart. */
function times(count: number, milliseconds: number): Partial<Tally> {
  const logs = Array.from({ length: count }, (_, index) => Math.log(milliseconds) + (index % 5 - 2) / 10);
  const sum = logs.reduce((one, other) => one + other, 0);
  const squares = logs.reduce((one, other) => one + other ** 2, 0);
  return {
    begun: count,
    firstLog: sum,
    firstLogSquares: squares,
    durationLog: sum,
    durationLogSquares: squares,
  };
}

Deno.test("compareSides gives the share of answers, and names what differs by more than chance", () => {
  const shares = {
    requests: 1000,
    errors: 50,
    answers: 900,
    printedCalls: 150,
    reachedAsText: 90,
    attempts: 100,
    transformed: 80,
  };
  const same = { ...shares, ...times(1000, 100) };
  const all =
    "errors, calls that reached the agent as text, success, the time to the first token and the total time";
  const table: [Partial<Tally>, Partial<Tally>, string][] = [
    [same, same, `No significant difference in ${all}.`],
    [
      { ...same, errors: 200 },
      same,
      "The groups differ significantly in errors; no significant difference in calls that reached the agent as text, success, the time to the first " +
      "token and the total time.",
    ],
    [
      { ...same, reachedAsText: 0, transformed: 40 },
      same,
      "The groups differ significantly in calls that reached the agent as text and success; no significant difference in errors, the time to the " +
      "first token and the total time.",
    ],
    [
      { ...same, ...times(1000, 119) },
      { ...same, ...times(1000, 27) },
      "The groups differ significantly in the time to the first token and the total time; no significant difference in errors, " +
      "calls that reached the agent as text and success.",
    ],
    [
      { ...same, printedCalls: 39, reachedAsText: 0 },
      { ...same, printedCalls: 111, reachedAsText: 111 },
      "The groups differ significantly in calls that reached the agent as text; no significant difference in errors, success, the " +
      "time to the first token and the total time.",
    ],
    [
      {
        ...same,
        requests: 10,
        errors: 1,
        answers: 9,
        printedCalls: 2,
        reachedAsText: 0,
        attempts: 0,
        transformed: 0,
        ...times(10, 100),
      },
      same,
      `For ${all}, there are too few requests to tell.`,
    ],
  ];
  for (const [live, excluded, sentence] of table) {
    assert.equal(compareSides({ live: side(live), excluded: side(excluded) }).sentence, sentence);
  }
  const { share } = compareSides({ live: side({ answers: 10 }), excluded: side({ answers: 30 }) });
  assert.equal(share, 0.25);
  assert.equal(compareSides({ live: side({}), excluded: side({}) }).share, null);
});
