/** The cut of an answer never changes what the matcher says of it, decisions included. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { allCuts, oneByOne, piecesOf } from "../support/cuts.ts";
import { CIRCUMSTANCES, dialectText, OFFERED } from "../support/dialect_text.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, shippedProgram } from "../support/matcher_events.ts";

/** Texts up to this length are cut at every place. */
const SHORT = 60;

const program = shippedProgram();

Deno.test("Matcher says the same of an answer however it was cut, decisions included", () => {
  const figures = { cases: 0, calls: 0, aborts: 0, differences: 0 };
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(dialectText, sizes, fc.constantFrom(...CIRCUMSTANCES), (text, sizes, circumstances) => {
      const reading = { program, offered: OFFERED, ...circumstances };
      const whole = eventsOf([text], reading);
      const cuts = text.length <= SHORT ? allCuts(text) : [oneByOne(text)];
      figures.differences++;
      for (const pieces of [...cuts, piecesOf(text, sizes)]) {
        assert.deepEqual(eventsOf(pieces, reading), whole);
      }
      figures.differences--;
      figures.cases++;
      for (const { end } of callsOf(whole)) figures[end?.kind === "call_end" ? "calls" : "aborts"]++;
    }),
    runs(3000),
  );
  tell("cuts", figures);
});
