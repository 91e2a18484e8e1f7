import assert from "node:assert/strict";
import { Automaton } from "../../../src/engine/pattern/automaton.ts";
import { parsePattern } from "../../../src/engine/pattern/parse.ts";
import { HELD_MAXIMUM, Runs } from "../../../src/engine/pattern/runs.ts";

function automatonOf(...patterns: string[]): Automaton {
  return new Automaton(
    patterns.map((pattern, priority) => ({ node: parsePattern(pattern).node!, priority })),
  );
}

/** Runs that begin at each character of a text and read on to its end. */
function runsOver(automaton: Automaton, text: string): Runs {
  const runs = new Runs(automaton);
  for (const unit of text) {
    runs.begin(false);
    runs.step(unit.charCodeAt(0));
  }
  return runs;
}

Deno.test("Runs return the matches of the earliest run first, then those of the next", () => {
  const runs = runsOver(automatonOf("abc", "b", "cd?"), "abc");
  assert.deepEqual([runs.first?.start, runs.best()], [0, { alternative: 0, end: 3 }]);
  runs.drop();
  assert.deepEqual([runs.first?.start, runs.best()], [1, { alternative: 1, end: 2 }]);
  runs.drop();
  assert.deepEqual([runs.first?.start, runs.best()], [2, { alternative: 2, end: 3 }]);
  assert.equal(runs.isDecided(), false, "a d may follow");
  runs.drop();
  assert.equal(runs.first, undefined);
});

Deno.test("Runs that reach the same state keep their earlier matches separate", () => {
  // From 0 on `ab` matches; the run from 1 is then in the same state, and has matched nothing yet.
  const runs = runsOver(automatonOf("abx*y", "ab", "bx*y"), "ab");
  assert.deepEqual(runs.best(), { alternative: 1, end: 2 });
  runs.drop();
  assert.equal(runs.best(), undefined);
  runs.step("x".charCodeAt(0));
  runs.step("y".charCodeAt(0));
  assert.deepEqual(runs.best(), { alternative: 2, end: 4 });
});

Deno.test("Runs continue with the earliest when its lane joins a later lane", () => {
  // The runs from 0 and 2 share a lane. When the first is dropped, the run from 1 is the earliest; `z` joins it to 2.
  const runs = runsOver(automatonOf("(?:(?:ab)*a|ba)zw"), "aba");
  runs.drop();
  for (const unit of "zw") runs.step(unit.charCodeAt(0));
  for (const start of [1, 2]) {
    assert.deepEqual([runs.first?.start, runs.best()], [start, { alternative: 0, end: 5 }]);
    runs.drop();
  }
  assert.equal(runs.first, undefined);
});

Deno.test("Runs ignore a refused alternative for this run only", () => {
  const runs = runsOver(automatonOf("aa*"), "aa");
  assert.deepEqual(runs.best(), { alternative: 0, end: 2 });
  runs.refuse(0);
  assert.equal(runs.best(), undefined);
  runs.drop();
  assert.deepEqual([runs.first?.start, runs.best()], [1, { alternative: 0, end: 2 }]);
});

Deno.test("Runs are decided at 512 characters, each counted from its own beginning", () => {
  assert.equal(HELD_MAXIMUM, 512);
  const runs = runsOver(automatonOf("a*b"), "a".repeat(511));
  assert.equal(runs.isDecided(), false);
  runs.step("a".charCodeAt(0));
  assert.equal(runs.isDecided(), true);
  runs.drop();
  assert.deepEqual([runs.first?.start, runs.isDecided()], [1, false]);
});

Deno.test("Runs in one state take one step together", () => {
  let steps = 0;
  class CountingAutomaton extends Automaton {
    override step(...args: Parameters<Automaton["step"]>) {
      steps++;
      return super.step(...args);
    }
  }
  const automaton = new CountingAutomaton([{ node: parsePattern("\\s*<x").node!, priority: 0 }]);
  const runs = runsOver(automaton, " ".repeat(300));
  assert.equal(runs.first?.start, 0);
  assert.ok(steps <= 2 * 300, `${steps} steps`);
});

Deno.test("Runs report at the end of the answer whether the earliest was alive", () => {
  const alive = runsOver(automatonOf("ab"), "a");
  assert.equal(alive.end(), true);
  assert.equal(alive.isDecided(), true);
  const dead = runsOver(automatonOf("ab"), "ac");
  assert.equal(dead.end(), false);
});
