import assert from "node:assert/strict";
import { Automaton } from "../../../src/engine/pattern/automaton.ts";
import { capture } from "../../../src/engine/pattern/captures.ts";
import type { Node } from "../../../src/engine/pattern/node.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";

function node(pattern: string): Node {
  const { node } = parsePattern(pattern);
  assert.ok(node, pattern);
  return node;
}

/** The groups of a pattern over a whole text, and where the match ends. */
function groupsOf(pattern: string, text: string, options: { atLineStart?: boolean } = {}) {
  const automaton = new Automaton([{ node: node(pattern), priority: 0 }]);
  const span = { start: 0, end: text.length, atLineStart: options.atLineStart ?? false };
  const captures = capture(automaton, { alternative: 0, text, span });
  return captures && { groups: { ...captures.groups }, end: captures.end };
}

const cases: [pattern: string, text: string, groups: Record<string, string>, end: number][] = [
  ["<(?<a>\\w+)>", "<tag>", { a: "tag" }, 5],
  ["(?<a>x)?(?<b>y)", "y", { b: "y" }, 1],
  ["(?<a>x*)y", "y", { a: "" }, 1],
  ["(?<a>a+)(?<b>a*)", "aaa", { a: "aaa", b: "" }, 3],
  ["(?<a>a+?)(?<b>a*)", "aaa", { a: "a", b: "aa" }, 3],
  ["(?<a>a(?<b>b))", "ab", { a: "ab", b: "b" }, 2],
  ["(?:(?<a>a|b),?)+", "a,b", { a: "b" }, 3],
  ["(?<a>ab|a)(?<b>b?)", "ab", { a: "ab", b: "" }, 2],
  ["x(?=\\s*y)", "x  y", {}, 1],
  ["(?<a>x+)(?=y)", "xxy", { a: "xx" }, 2],
  ["(?<a>é😀)", "é😀", { a: "é😀" }, 3],
];

for (const [pattern, text, groups, end] of cases) {
  Deno.test(`capture reads ${JSON.stringify(groups)} out of ${text} by ${pattern}`, () => {
    assert.deepEqual(groupsOf(pattern, text), { groups, end });
  });
}

Deno.test("capture has the preferences of JavaScript's engine", () => {
  const patterns = ["(?<a>a|ab)(?<b>c|bcd)?(?<c>d*)", "(?<a>a{1,2})(?<b>a{1,2})", "(?<a>(?:ab?)*)(?<b>b*)"];
  for (const pattern of patterns) {
    for (const text of ["a", "aa", "aaa", "ab", "abc", "abcd", "abab", "abbb"]) {
      const theirs = new RegExp(`^(?:${pattern})$`).exec(text);
      const ours = groupsOf(pattern, text);
      assert.equal(ours === undefined, theirs === null, `${pattern} on ${text}`);
      const named = Object.entries(theirs?.groups ?? {}).filter(([, value]) => value !== undefined);
      if (ours) assert.deepEqual(ours.groups, Object.fromEntries(named), `${pattern} on ${text}`);
    }
  }
});

Deno.test("capture caches short spans and clears a full cache", () => {
  const automaton = new Automaton([{ node: node("<(?<a>\\w+)>"), priority: 0 }]);
  const read = (text: string) =>
    capture(automaton, { alternative: 0, text, span: { start: 0, end: text.length, atLineStart: false } });
  const first = read("<x>");
  assert.equal(read("<x>")?.groups, first?.groups);
  for (let count = 0; count < 1100; count++) assert.equal(read(`<x${count}>`)?.groups["a"], `x${count}`);
  assert.notEqual(read("<x>")?.groups, first?.groups, "it was never forgotten");
  const long = `<${"x".repeat(200)}>`;
  assert.notEqual(read(long)?.groups, read(long)?.groups, "a long span is kept");
});

Deno.test("capture returns only the group if its name is a member of every object", () => {
  assert.deepEqual(Object.entries(groupsOf("(?<toString>a)", "a")?.groups ?? {}), [["toString", "a"]]);
  assert.deepEqual(groupsOf("(?<x>a)?b", "b")?.groups, {});
});
