import assert from "node:assert/strict";
import { deepestGroup, NESTING_MAXIMUM, stepsOf } from "../../../src/engine/pattern/limit.ts";
import { Nfa } from "../../../src/engine/pattern/nfa.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";

Deno.test("deepestGroup finds the first group that is nested too deeply", () => {
  const open = "(".repeat(NESTING_MAXIMUM);
  const cases: [pattern: string, offset: number][] = [
    ["", -1],
    [open, -1],
    [`${open}(`, NESTING_MAXIMUM],
    [`${open})(`, -1],
    [`${open}\\(`, -1],
    [`${open}[((]`, -1],
    [`${open}[\\](](`, NESTING_MAXIMUM + 5],
  ];
  for (const [pattern, offset] of cases) assert.equal(deepestGroup(pattern), offset, pattern);
});

Deno.test("stepsOf is at least the number of a pattern's instructions", () => {
  const patterns = [
    "abc",
    "a|b|c",
    "(?:ab){3,7}",
    "(?<x>a+)b*",
    "(?:a{2,4}|b?){1,9}",
    "(?:(?:a{5}){6}){7}",
    "^a(?=b)",
  ];
  for (const pattern of patterns) {
    const { node } = parsePattern(pattern);
    const nfa = new Nfa([{ node: node!, priority: 0 }]);
    let length = 0;
    for (; nfa.owner(length) !== undefined; length++) nfa.at(length);
    assert.ok(
      stepsOf(node!) >= length / 2 && stepsOf(node!) <= 3 * length,
      `${pattern}: ${stepsOf(node!)}, ${length}`,
    );
  }
});
