import assert from "node:assert/strict";
import {
  compareShares,
  type Comparison,
  probabilityBeyond,
} from "../../../src/admin/tally/two_proportion.ts";

Deno.test("compareShares tells a real difference from chance", () => {
  const table: [number, number, number, number, Comparison][] = [
    [50, 100, 50, 100, "same"],
    [50, 100, 52, 100, "can_be_chance"],
    [50, 100, 80, 100, "not_chance"],
    // 1% against 1.5%: chance among 1,000 answers, not among 10,000.
    [10, 1000, 15, 1000, "can_be_chance"],
    [100, 10_000, 150, 10_000, "not_chance"],
    [0, 10, 2, 10, "too_few"],
    [0, 0, 5, 10, "too_few"],
    [0, 1000, 0, 10, "same"],
  ];
  for (const [part, whole, otherPart, otherWhole, expected] of table) {
    const one = { part, whole };
    const other = { part: otherPart, whole: otherWhole };
    assert.equal(compareShares(one, other), expected, `${part}/${whole} ${otherPart}/${otherWhole}`);
    assert.equal(compareShares(other, one), expected);
  }
});

Deno.test("probabilityBeyond gives the tails of the normal distribution", () => {
  const table = [[0, 1], [1, 0.3173], [1.96, 0.05], [2.576, 0.01], [4, 0.0000633]] as const;
  for (const [z, probability] of table) {
    assert.ok(Math.abs(probabilityBeyond(z) - probability) < 1e-4, `${z}`);
  }
});
