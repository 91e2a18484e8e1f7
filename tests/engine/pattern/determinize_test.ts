import assert from "node:assert/strict";
import { type State, States, STATES_MAXIMUM } from "../../../src/engine/pattern/determinize.ts";
import type { Texts } from "../../../src/engine/pattern/machine.ts";
import { Nfa } from "../../../src/engine/pattern/nfa.ts";
import type { Node } from "../../../src/engine/pattern/node.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";

/** Matches nothing; a reference needs its group in the same pattern. */
const GROUPS = "(?:(?<key>x)|(?<quote>x)|(?<a>x)|(?<b>x)){0}";

function node(pattern: string): Node {
  const { node } = parsePattern(pattern.includes("\\k") ? GROUPS + pattern : pattern);
  assert.ok(node, pattern);
  return node;
}

function statesOf(...patterns: string[]): States {
  return new States(new Nfa(patterns.map((pattern, priority) => ({ node: node(pattern), priority }))));
}

function run(states: States, text: string, texts: Texts = {}): State | null {
  let state = states.start(false, texts);
  for (let at = 0; at < text.length && state; at++) state = states.step(state, text.charCodeAt(at), texts);
  return state;
}

/** A pattern with enough states to discard them repeatedly. */
const WIDE = "(?:a|b)*a(?:a|b){14}c";

Deno.test("States are at most 4,096, and a run across a reset is still correct", () => {
  assert.equal(STATES_MAXIMUM, 4096);
  const states = statesOf(WIDE);
  let seed = 1;
  const next = () => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) >>> 16 & 1 ? "a" : "b";
  const seen = new Set<State>();
  let most = 0;
  let text = "";
  let state = states.start(false, {});
  for (let at = 0; at < 3 * STATES_MAXIMUM; at++) {
    const letter = next();
    text += letter;
    state = state && states.step(state, letter.charCodeAt(0), {});
    assert.ok(state);
    seen.add(state);
    most = Math.max(most, states.size);
    const isMatch = states.step(state, "c".charCodeAt(0), {})?.accepted.length === 1;
    assert.equal(isMatch, text.at(-15) === "a", `after ${at} characters`);
  }
  assert.ok(seen.size > STATES_MAXIMUM, "the states were never forgotten");
  assert.equal(most, STATES_MAXIMUM);
});

Deno.test("States that are discarded are no longer linked from the start", () => {
  for (const patterns of [[WIDE], [WIDE, "\\k<key>z"]]) {
    const states = statesOf(...patterns);
    const texts = { key: "q" };
    const start = states.start(false, texts);
    assert.ok(start);
    const a = "a".charCodeAt(0);
    const before = states.step(start, a, texts);
    let state: State | null = start;
    let seed = 1;
    for (let size = 0; size <= states.size && state;) {
      size = states.size;
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      state = states.step(state, a + (seed >>> 16 & 1), texts);
    }
    assert.ok(states.size < STATES_MAXIMUM);
    assert.notEqual(states.step(start, a, texts), before, patterns.join(" "));
  }
});

Deno.test("States are created when a text needs them and reused", () => {
  const states = statesOf("a+b");
  assert.equal(states.size, 0);
  const once = run(states, "a");
  assert.equal(states.size, 2);
  assert.equal(run(states, "aaa"), once);
  assert.equal(states.size, 2);
});

Deno.test("States have tables that grow with the characters read", () => {
  const states = statesOf("[a-e]z", "[f-j]y", "[k-p]x");
  const start = states.start(false, {})!;
  assert.equal(start.next.length, 0);
  states.step(start, "n".charCodeAt(0), {});
  assert.ok(start.next.length <= 2, `${start.next.length} entries`);
});

Deno.test("States are shared by all texts of a reference", () => {
  const states = statesOf("</\\k<key>>\\s*<end>");
  const size = () => states.size;
  run(states, "</path>  <end>", { key: "path" });
  const once = size();
  for (let count = 1000; count < 2000; count++) {
    const key = `k${count % 10}${count}`.slice(0, 4);
    assert.ok(run(states, `</${key}> <end>`, { key })?.accepted.length);
    assert.equal(run(states, `</${key}x`, { key }), null);
  }
  assert.equal(size(), once, "a text of the same length needs the same states");
});

Deno.test("States distinguish references with different texts", () => {
  const states = statesOf("\\k<a>-\\k<b>;");
  const matches = (text: string, a: string, b: string) => run(states, text, { a, b })?.accepted.length ?? 0;
  assert.equal(matches("x-yy;", "x", "yy"), 1);
  assert.equal(matches("x-yy;", "x", "y"), 0);
  assert.equal(matches("yy-x;", "yy", "x"), 1);
  assert.equal(matches("-x;", "", "x"), 1);
  assert.equal(matches("-;", "", ""), 1);
  assert.equal(matches("-x;", "x", ""), 0);
});
