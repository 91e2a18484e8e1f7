import assert from "node:assert/strict";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";

/** The ranges of a pattern that is one set of characters. */
function rangesOf(pattern: string): readonly (readonly [number, number])[] {
  const { node } = parsePattern(pattern);
  assert.ok(node?.type === "characters", pattern);
  return node.ranges;
}

Deno.test("rangesOf, classRanges and unitOf read a set of characters", () => {
  const cases: [pattern: string, ranges: [number, number][]][] = [
    ["a", [[97, 97]]],
    ["\\n", [[10, 10]]],
    ["\\x41", [[65, 65]]],
    ["\\u0041", [[65, 65]]],
    ["\\cJ", [[10, 10]]],
    ["\\.", [[46, 46]]],
    ["[\\b]", [[8, 8]]],
    ["\\d", [[48, 57]]],
    ["[a-cb-e]", [[97, 101]]],
    ["[^\\x01-\\uffff]", [[0, 0]]],
    ["[\\d_]", [[48, 57], [95, 95]]],
    ["\\W", [[0, 47], [58, 64], [91, 94], [96, 96], [123, 0xffff]]],
  ];
  for (const [pattern, ranges] of cases) assert.deepEqual(rangesOf(pattern), ranges, pattern);
});
