import assert from "node:assert/strict";
import { compareSides } from "../../../src/desk/tally/sides.ts";
import { emptyTally, type Figures, figuresOf, type Tally } from "../../../src/desk/tally/tally.ts";

function side(sums: Partial<Tally>): Figures {
  return figuresOf({ ...emptyTally(), ...sums });
}

Deno.test("compareSides gives the share of answers, and names what differs by more than chance", () => {
  const same = { requests: 1000, errors: 50, answers: 900, leaked: 90, attempts: 100, transformed: 80 };
  const table: [Partial<Tally>, Partial<Tally>, string][] = [
    [same, same, "No difference between the sides is more than chance."],
    [{ ...same, errors: 200 }, same, "The sides differ in errors by more than chance."],
    [
      { ...same, leaked: 300, transformed: 40 },
      same,
      "The sides differ in leaks and success by more than chance.",
    ],
    [
      { ...same, requests: 10, errors: 1, answers: 9, leaked: 2, attempts: 0, transformed: 0 },
      same,
      "No difference between the sides is more than chance; for errors, leaks and success, there are too few requests to tell.",
    ],
  ];
  for (const [live, excluded, sentence] of table) {
    assert.equal(compareSides({ live: side(live), excluded: side(excluded) }).sentence, sentence);
  }
  const { share } = compareSides({ live: side({ answers: 10 }), excluded: side({ answers: 30 }) });
  assert.equal(share, 0.25);
  assert.equal(compareSides({ live: side({}), excluded: side({}) }).share, null);
});
