import assert from "node:assert/strict";
import fc from "fast-check";
import {
  Automaton,
  beginningOf,
  BREAK,
  isDead,
  remember,
  type State,
  STOP,
  type Stops,
} from "../../../src/engine/pattern/automaton.ts";
import { States } from "../../../src/engine/pattern/determinize.ts";
import { Nfa } from "../../../src/engine/pattern/nfa.ts";
import { END, type Node, sequence } from "../../../src/engine/pattern/node.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";
import { runs } from "../../support/fuzz.ts";

/** Matches nothing; a reference needs its group in the same pattern. */
const GROUPS = "(?:(?<key>x)|(?<quote>x)|(?<a>x)|(?<b>x)){0}";

function node(pattern: string): Node {
  const { node } = parsePattern(pattern.includes("\\k") ? GROUPS + pattern : pattern);
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

/** Where a pattern matches from the start of a text, according to the automaton and to JavaScript. */
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

Deno.test("Automaton matches like JavaScript's engine", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " ", "\n", "é"), maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, (pattern, text) => {
      const { ours, theirs } = ends(pattern, text);
      assert.deepEqual(ours, theirs);
    }),
    runs(1000),
  );
});

Deno.test("Automaton dies once no pattern can match", () => {
  const automaton = automatonOf("abc");
  assert.ok(run(automaton, "ab"));
  assert.equal(run(automaton, "abd"), null);
  assert.equal(run(automaton, "abcd"), null);
});

Deno.test("Automaton creates a state when a text first needs it and reuses it", () => {
  const automaton = automatonOf("a+b");
  const start = automaton.start(false);
  assert.ok(start);
  const once = automaton.step(start, 0x61);
  assert.ok(once);
  assert.equal(automaton.step(once, 0x61), once);
  assert.equal(automaton.step(start, 0x61), once);
  assert.equal(automaton.start(true), start, "without ^ both starts are one state");
});

Deno.test("Automaton shows which patterns match and the best priority of those that still can", () => {
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
  assert.equal(automaton.stops.ascii[">".charCodeAt(0)], 0);
  assert.equal(automaton.lineStops.ascii[">".charCodeAt(0)], STOP);
  assert.equal(automaton.stops.ascii[0x0a], BREAK);
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

Deno.test("Automaton lists the ASCII characters that can begin a match, and the range of the others", () => {
  const automaton = automatonOf("<a", "^#", "é\\w", "[☀-☃]");
  const stopsOf = ({ ascii }: Stops) => [..."<#ab"].map((one) => ascii[one.charCodeAt(0)]);
  assert.deepEqual(stopsOf(automaton.stops), [STOP, 0, 0, 0]);
  assert.deepEqual(stopsOf(automaton.lineStops), [STOP, STOP, 0, 0]);
  const { lowest, highest } = automaton.stops;
  assert.deepEqual([lowest, highest], ["é".charCodeAt(0), "☃".charCodeAt(0)]);
  assert.deepEqual([automatonOf("a").stops.lowest, automatonOf("a").stops.highest], [Infinity, -Infinity]);
});

Deno.test("beginningOf tells four characters from fewer, and remembers only ASCII", () => {
  const { stops } = automatonOf("<a");
  assert.equal(isDead(stops, beginningOf("<bcd", 0)), false);
  remember(stops, beginningOf("<bcd", 0));
  for (const text of ["<bcd", "<bcde"]) assert.equal(isDead(stops, beginningOf(text, 0)), true, text);
  for (const text of ["<bc", "<bcx", "bcd<"]) assert.equal(isDead(stops, beginningOf(text, 0)), false, text);
  for (const text of ["<bé", "<b\x7f"]) {
    assert.equal(beginningOf(text, 0), -1, JSON.stringify(text));
    remember(stops, beginningOf(text, 0));
    assert.equal(isDead(stops, beginningOf(text, 0)), false, JSON.stringify(text));
  }
});

Deno.test("Automaton reads a reference's text and no other", () => {
  const states = new States(new Nfa([{ node: node("</\\k<key>>"), priority: 0 }]));
  for (const key of ["a", "path", "p", "é", "x".repeat(300)]) {
    const automaton = new Automaton(states, { key });
    assert.ok(run(automaton, `</${key}>`)?.accepted.length, key);
    for (const other of [`${key}a`, key.slice(1), `b${key}`, ""]) {
      assert.equal(run(automaton, `</${other}>`), null, `${key}: ${other}`);
    }
  }
});

Deno.test("Automaton reads a reference without a text as the empty text", () => {
  const states = new States(new Nfa([{ node: node("\\k<quote>x\\k<quote>"), priority: 0 }]));
  assert.ok(run(new Automaton(states), "x")?.accepted.length);
  assert.ok(run(new Automaton(states, { quote: "" }), "x")?.accepted.length);
  const quoted = new Automaton(states, { quote: "'" });
  assert.equal(run(quoted, "x"), null);
  assert.ok(run(quoted, "'x'")?.accepted.length);
  assert.deepEqual([..."'x"].map((one) => quoted.stops.ascii[one.charCodeAt(0)]), [STOP, 0]);
});

Deno.test("Automaton matches a reference like its text", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 8 });
  const key = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 3 });
  const shared = new Map<string, States>();
  fc.assert(
    fc.property(pattern, pattern, key, text, (before, after, key, text) => {
      const source = `(?:${before})?\\k<key>${after}`;
      const states = shared.get(source) ?? new States(new Nfa([{ node: node(source), priority: 0 }]));
      shared.set(source, states);
      const literal = automatonOf(`(?:${before})?${key}${after}`);
      for (let end = 0; end <= text.length; end++) {
        const part = text.slice(0, end);
        const matches = [new Automaton(states, { key }), literal].map((one) =>
          run(one, part)?.accepted.length ?? 0
        );
        assert.equal(matches[0], matches[1], `${source} with ${key} on ${part}`);
      }
    }),
    runs(500),
  );
});
