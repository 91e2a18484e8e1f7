import assert from "node:assert/strict";
import { MARK, Nfa } from "../../../src/engine/pattern/nfa.ts";
import type { Node } from "../../../src/engine/pattern/node.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";

function nfaOf(...patterns: string[]) {
  return new Nfa(patterns.map((pattern, priority) => {
    const { node } = parsePattern(pattern);
    assert.ok(node, pattern);
    return { node, priority };
  }));
}

/** The instructions in the order in which a regular expression prefers them, each once. */
function writtenIn(nfa: Nfa): string[] {
  const seen = new Set<number>();
  const stack = [...nfa.entries].reverse();
  const lines: string[] = [];
  while (stack.length > 0) {
    const index = stack.pop()!;
    if (seen.has(index)) continue;
    seen.add(index);
    const one = nfa.at(index);
    if (one.op === "split") stack.push(one.second, one.first);
    else if (one.op !== "accept") stack.push(one.next);
    const detail = one.op === "characters"
      ? ` ${one.ranges.map(([from]) => String.fromCharCode(from)).join("")}`
      : one.op === "save"
      ? ` ${one.slot} ${one.to}`
      : "";
    lines.push(`${nfa.owner(index)} ${one.op}${detail}`);
  }
  return lines;
}

Deno.test("Nfa writes a pattern as instructions in the order of preference", () => {
  const cases: [pattern: string, instructions: string[]][] = [
    ["a|b?", ["split", "characters a", "accept", "split", "characters b"]],
    ["a*", ["split", "characters a", "accept"]],
    ["a*?", ["split", "accept", "characters a"]],
    ["a{2,3}", ["characters a", "characters a", "split", "characters a", "accept"]],
    ["a{0}b", ["jump", "characters b", "accept"]],
    ["(?<x>a)b", ["save x start", "characters a", "save x end", "characters b", "accept"]],
  ];
  for (const [pattern, instructions] of cases) {
    assert.deepEqual(writtenIn(nfaOf(pattern)), instructions.map((one) => `0 ${one}`), pattern);
  }
});

Deno.test("Nfa maps instructions to patterns, and knows the patterns that save positions", () => {
  const nfa = nfaOf("a", "(?<x>a)", "a(?=b)");
  assert.deepEqual(writtenIn(nfa), [
    "0 characters a",
    "0 accept",
    "1 save x start",
    "1 characters a",
    "1 save x end",
    "1 accept",
    "2 characters a",
    `2 save ${MARK} start`,
    "2 split",
    "2 characters b",
    "2 accept",
    "2 characters \0",
  ]);
  assert.deepEqual([0, 1, 2].map((alternative) => nfa.saves(alternative)), [false, true, true]);
  assert.deepEqual(nfa.priorities, [0, 1, 2]);
});

Deno.test("Nfa writes no instruction before a text comes to it", () => {
  const written = (nfa: Nfa) => nfa.owner(100) === undefined;
  const nfa = nfaOf("a{100}b");
  let index = nfa.entries[0]!;
  assert.ok(written(nfa), "nothing is read");
  for (let count = 0; count < 100; count++) {
    const one = nfa.at(index);
    assert.ok(one.op === "characters" && one.ranges[0]![0] === 0x61, `${count}`);
    index = one.next;
  }
  assert.ok(!written(nfa), "everything is read");
});

Deno.test("Nfa names each reference once and lists the bounds of characters", () => {
  const nfa = nfaOf("(?:(?<key>x)|(?<fence>x)){0}</\\k<key>>[b-d]\\k<fence>\\k<key>");
  assert.deepEqual(nfa.names, ["key", "fence"]);
  assert.deepEqual([...nfa.bounds].sort((a, b) => a - b), [..."/0<=>?be"].map((one) => one.charCodeAt(0)));
});

Deno.test("Nfa refuses a hole, which must be split first", () => {
  const hole: Node = { type: "hole", name: "body" };
  assert.throws(() => new Nfa([{ node: hole, priority: 0 }]), /hole/);
});
