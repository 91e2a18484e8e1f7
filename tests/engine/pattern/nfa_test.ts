import assert from "node:assert/strict";
import { compile, MARK } from "../../../src/engine/pattern/nfa.ts";
import type { Node } from "../../../src/engine/pattern/node.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";

function nfaOf(...patterns: string[]) {
  return compile(patterns.map((pattern, priority) => {
    const { node } = parsePattern(pattern);
    assert.ok(node, pattern);
    return { node, priority };
  }));
}

Deno.test("compile writes a pattern as instructions in the order of preference", () => {
  assert.deepEqual(nfaOf("a|b?").instructions, [
    { op: "split", first: 1, second: 3 },
    { op: "characters", ranges: [[97, 97]] },
    { op: "jump", to: 5 },
    { op: "split", first: 4, second: 5 },
    { op: "characters", ranges: [[98, 98]] },
    { op: "accept", alternative: 0 },
  ]);
  assert.deepEqual(nfaOf("a*?").instructions[0], { op: "split", first: 3, second: 1 });
  assert.deepEqual(nfaOf("a(?=b)").instructions[1], { op: "save", slot: MARK, to: "start" });
});

Deno.test("compile maps instructions to patterns, and lists the patterns that save positions", () => {
  const { entries, owners, saves, priorities } = nfaOf("ab", "(?<x>a)b", "a(?=b)");
  assert.deepEqual(entries, [0, 3, 8]);
  assert.deepEqual(owners, [0, 0, 0, 1, 1, 1, 1, 1, ...Array(7).fill(2)]);
  assert.deepEqual(saves, [false, true, true]);
  assert.deepEqual(priorities, [0, 1, 2]);
});

Deno.test("compile names each reference once and lists the bounds of characters", () => {
  const nfa = nfaOf("(?:(?<key>x)|(?<fence>x)){0}</\\k<key>>[b-d]\\k<fence>\\k<key>");
  assert.deepEqual(nfa.names, ["key", "fence"]);
  assert.deepEqual(nfa.bounds, [..."/0<=>?be"].map((one) => one.charCodeAt(0)));
});

Deno.test("compile refuses a hole, which must be split first", () => {
  const hole: Node = { type: "hole", name: "body" };
  assert.throws(() => compile([{ node: hole, priority: 0 }]), /hole/);
});
