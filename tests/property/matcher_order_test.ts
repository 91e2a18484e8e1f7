/** The order of the rules says nothing where their confidences differ. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { dialectText, OFFERED } from "../support/dialect_text.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, programOf, shippedRules } from "../support/matcher_events.ts";

/** Rules of equal precedence go by their order, so only those that make calls are shuffled. */
const opaque = shippedRules().filter(({ body }) => body === "opaque");
const calling = shippedRules().filter(({ body }) => body !== "opaque")
  .map((rule, index) => ({ ...rule, confidence: rule.confidence - index / 10_000 }));
const shuffle = fc.shuffledSubarray(calling, { minLength: calling.length });
const program = programOf(...opaque, ...calling);
const programs = fc.sample(shuffle, { seed: 1, numRuns: 8 })
  .map((shuffled) => programOf(...opaque, ...shuffled));

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
