/** The order of the rules says nothing where their confidences differ. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { dialectText, OFFERED } from "../support/dialect_text.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, programOf, shippedRules } from "../support/matcher_events.ts";

const rules = shippedRules().map((rule, index) =>
  rule.body === "opaque" ? rule : { ...rule, confidence: rule.confidence - index / 10_000 }
);
const shuffle = fc.shuffledSubarray(rules, { minLength: rules.length });
const program = programOf(...rules);
const programs = fc.sample(shuffle, { seed: 1, numRuns: 8 }).map((shuffled) => programOf(...shuffled));

Deno.test("Matcher reads the same whatever the order of rules whose confidences differ", () => {
  const figures = { cases: 0, calls: 0 };
  fc.assert(
    fc.property(dialectText, fc.constantFrom(...programs), (text, shuffled) => {
      const events = eventsOf([text], { program, offered: OFFERED });
      assert.deepEqual(eventsOf([text], { program: shuffled, offered: OFFERED }), events);
      figures.cases++;
      figures.calls += callsOf(events).length;
    }),
    runs(2000),
  );
  tell("order of rules", figures);
});
