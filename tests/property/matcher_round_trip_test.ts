/** Whatever a call's values are: written in a dialect and read back they are the same. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { offer } from "../../src/engine/tool/offered.ts";
import { piecesOf } from "../support/cuts.ts";
import { DIALECTS, KEYS, nastyValue, TOOL } from "../support/dialect_writer.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, shippedProgram, textOf } from "../support/matcher_events.ts";

const program = shippedProgram();
const anything = Object.fromEntries(KEYS.map((key) => [key, {}]));
const texts = Object.fromEntries(KEYS.map((key) => [key, { type: "string" }]));

for (const { rule, isJson, isLast, write, isAmbiguous, endsWithCloser } of DIALECTS) {
  Deno.test(`Matcher reads every call back that was written as ${rule}, and the text around it`, () => {
    const figures = { cases: 0, ambiguous: 0, none: 0 };
    const offered = offer([{
      name: TOOL,
      schema: { type: "object", properties: isJson ? anything : texts },
    }]);
    const value: fc.Arbitrary<unknown> = isJson ? fc.oneof(nastyValue, fc.jsonValue()) : nastyValue;
    const named = fc.record(Object.fromEntries(KEYS.map((key) => [key, value])), { requiredKeys: ["a"] });
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(named, sizes, fc.boolean(), (values, sizes, wholeCalls) => {
        figures.cases++;
        if (Object.values(values).some((value) => typeof value === "string" && isAmbiguous(value))) {
          figures.ambiguous++;
          return;
        }
        const after = isLast ? "" : "Done.";
        const text = `Now.\n${write({ tool: TOOL, arguments: values })}\n${after}`;
        const events = eventsOf(piecesOf(text, sizes), { program, offered, wholeCalls });
        const [call, ...others] = callsOf(events);
        assert.deepEqual(others, []);
        // A closer that comes twice can be the model's mistake, so such a call can be none.
        const mayBeNone = Object.entries(values).some(([key, value]) => endsWithCloser?.(String(value), key));
        if (mayBeNone && call?.end?.kind !== "call_end") {
          figures.none++;
          return;
        }
        assert.equal(call?.start.rule, rule);
        assert.equal(call.end?.kind, "call_end");
        assert.deepEqual(JSON.parse(call.json), JSON.parse(JSON.stringify(values)));
        assert.equal(textOf(events), `Now.\n${after}`);
      }),
      runs(1000),
    );
    assert.ok(figures.none < figures.cases / 10, "too few calls are made");
    assert.ok(figures.ambiguous < figures.cases / 3, "the generator makes little that can be read");
    tell(`round trip ${rule}`, figures);
  });
}
