import assert from "node:assert/strict";
import fc from "fast-check";
import { Automaton, type State, STATES_MAXIMUM } from "../../src/pattern/automaton.ts";
import { END, type Node, sequence } from "../../src/pattern/node.ts";
import { parsePattern } from "../../src/pattern/parse.ts";
import { runs } from "../support/fuzz.ts";

function node(pattern: string): Node {
  const { node } = parsePattern(pattern);
  assert.ok(node, pattern);
  return node;
}

function automatonOf(...patterns: string[]): Automaton {
  return new Automaton(patterns.map((pattern, priority) => ({ node: node(pattern), priority })));
}

/** The state after a text, or null once nothing can match. */
function run(automaton: Automaton, text: string, from = automaton.start(false)): State | null {
  let state = from;
  for (let at = 0; at < text.length && state; at++) state = automaton.step(state, text.charCodeAt(at));
  return state;
}

/** Where a pattern matches from the start of a text, as the automaton and as the language sees it. */
function ends(pattern: string, text: string): { ours: number[]; theirs: number[] } {
  const automaton = automatonOf(pattern);
  const ours: number[] = [];
  const theirs: number[] = [];
  const expected = new RegExp(`^(?:${pattern})$`);
  for (let end = 0; end <= text.length; end++) {
    if (run(automaton, text.slice(0, end))?.accepted.length) ours.push(end);
    if (expected.test(text.slice(0, end))) theirs.push(end);
  }
  return { ours, theirs };
}

const atom = fc.constantFrom("a", "b", "[ab]", "[^a]", ".", "\\w", "\\s", "é");
const pattern: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    atom,
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => a + b),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie("pattern"), fc.constantFrom("?", "*", "+", "{0,2}", "{1,3}", "{2}", "+?", "*?"))
      .map(([item, times]) => `(?:${item})${times}`),
  ),
})).pattern;

Deno.test("Automaton matches where the language's own engine does", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "\n", "é"), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (pattern, text) => {
      const { ours, theirs } = ends(pattern, text);
      assert.deepEqual(ours, theirs);
    }),
    runs(1000),
  );
});

Deno.test("Automaton is dead once no pattern can match any more", () => {
  const automaton = automatonOf("abc");
  assert.ok(run(automaton, "ab"));
  assert.equal(run(automaton, "abd"), null);
  assert.equal(run(automaton, "abcd"), null);
});

Deno.test("Automaton makes a state when it is needed first and finds it again", () => {
  const automaton = automatonOf("a+b");
  const start = automaton.start(false);
  assert.ok(start);
  const once = automaton.step(start, 0x61);
  assert.ok(once);
  assert.equal(automaton.step(once, 0x61), once);
  assert.equal(automaton.step(start, 0x61), once);
  assert.equal(automaton.start(true), start, "without ^ both starts are one state");
});

Deno.test("Automaton tells which patterns match and how urgent those are that still could", () => {
  const automaton = automatonOf("abc", "ab", "b");
  assert.deepEqual(run(automaton, "ab")?.accepted, [1]);
  assert.equal(run(automaton, "ab")?.open, 0);
  assert.equal(run(automaton, "abc")?.open, Infinity);
  assert.deepEqual(run(automatonOf("ab", "[a]b"), "ab")?.accepted, [0, 1]);
});

Deno.test("Automaton begins ^ only at the start of a line", () => {
  const automaton = automatonOf("^>");
  assert.equal(automaton.start(false), null);
  assert.ok(run(automaton, ">", automaton.start(true))?.accepted.length);
  assert.equal(automaton.mayBegin(">", 0, false), false);
  assert.equal(automaton.mayBegin(">", 0, true), true);
});

Deno.test("Automaton reads END as a symbol beyond all characters", () => {
  const automaton = new Automaton([
    { node: sequence(node("a"), { type: "end" }), priority: 0 },
    { node: node("a[^b]"), priority: 1 },
  ]);
  const state = run(automaton, "a");
  assert.ok(state);
  assert.deepEqual(automaton.step(state, END)?.accepted, [0]);
  assert.deepEqual(automaton.step(state, 0xffff)?.accepted, [1]);
});

Deno.test("Automaton judges a place by its two characters, ASCII or not, at the text's end by one", () => {
  const automaton = automatonOf("<a", "é\\w", "b\ud83d", "#");
  const cases: [text: string, may: boolean][] = [
    ["<a", true],
    ["<b", false],
    ["<", true],
    ["x", false],
    ["éa", true],
    ["é ", true],
    ["b\ud83d", true],
    ["b\u00e9", true],
    ["bb", false],
    ["#!", true],
  ];
  for (const [text, may] of cases) {
    assert.equal(automaton.mayBegin(text, 0, false), may, text);
    assert.equal(automaton.mayBegin(text, 0, false), may, `${text} again`);
  }
  assert.deepEqual([..."<#bxé"].map((one) => automaton.stops[one.charCodeAt(0)]), [1, 1, 1, 0, undefined]);
});

/** A pattern with so many states that they are forgotten again and again. */
const WIDE = "(?:a|b)*a(?:a|b){14}c";

Deno.test("Automaton keeps a limited number of states and a run that goes on is right all the same", () => {
  const automaton = automatonOf(WIDE);
  let seed = 1;
  const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 16 & 1 ? "a" : "b";
  const seen = new Set<State>();
  let text = "";
  let state = automaton.start(false);
  for (let at = 0; at < 3 * STATES_MAXIMUM; at++) {
    const letter = next();
    text += letter;
    state = state && automaton.step(state, letter.charCodeAt(0));
    assert.ok(state);
    seen.add(state);
    const isMatch = automaton.step(state, "c".charCodeAt(0))?.accepted.length === 1;
    assert.equal(isMatch, text.at(-15) === "a", `after ${at} characters`);
  }
  assert.ok(seen.size > STATES_MAXIMUM, "the states were never forgotten");
});

Deno.test("Automaton refuses to compile what must be bound or split first", () => {
  for (const type of ["reference", "hole"] as const) {
    assert.throws(() => new Automaton([{ node: { type, name: "x" }, priority: 0 }]), new RegExp(type));
  }
});

Deno.test("Automaton knows which patterns have more to tell than where they end", () => {
  const automaton = automatonOf("ab", "(?<x>a)b", "a(?=b)");
  assert.deepEqual([0, 1, 2].map((alternative) => automaton.saves(alternative)), [false, true, true]);
});
