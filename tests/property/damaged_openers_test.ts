/**
 * A call whose second item's opener has one damaged character, perhaps besides its first sign, gives the intended call or none: never one whose first value
 * takes the second one in. Nothing else in the text shows the damage if the second parameter isn't required.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { offer } from "../../src/engine/tool/offered.ts";
import { TAG_DIALECTS } from "../support/damaged_calls.ts";
import { runs, tell } from "../support/fuzz.ts";
import { callsOf, eventsOf, shippedProgram } from "../support/matcher_events.ts";

const program = shippedProgram();
const string = { type: "string" };
const offered = offer([{ name: "run", schema: { properties: { command: string, details: string } } }]);

const VALUES = ["ls -la", "one\ntwo", "a < b && c > d", 'say "hi" to {you}', "x = [1]; if (y) { z(); }", "#"];

/** How one character is damaged. */
const DAMAGES: Readonly<Record<string, (one: string) => string>> = {
  "is missing": () => "",
  "comes twice": (one) => one + one,
  "is another one": (one) => one === "~" ? "_" : "~",
};

for (const [index, dialect] of TAG_DIALECTS.entries()) {
  const { call: [callOpener, callCloser], item: [opener, closer], edge, space, wrapper = ["", ""] } = dialect;
  // An element named after its parameter has no mark besides its brackets.
  if (opener("").length < 4) continue;

  Deno.test(`Matcher takes no damaged opener of ${dialect.rule} ${index} into a value`, () => {
    const figures = { cases: 0, intended: 0, none: 0 };
    const value = fc.constantFrom(...VALUES);
    fc.assert(
      fc.property(
        value,
        value,
        fc.nat(),
        fc.constantFrom(...Object.keys(DAMAGES)),
        fc.boolean(),
        (first, second, at, damage, hasNoSign) => {
          const mark = opener("details");
          const place = at % mark.length;
          // Another name is another parameter, and what follows the opener is the value.
          const key = mark.indexOf("details");
          fc.pre(place < mark.length - 1 || damage !== "comes twice");
          const end = key + "details".length;
          fc.pre(damage === "is another one" ? place < key - 1 || place > end : place < key || place >= end);
          // The first sign can be lost with it, if the damage is before the name.
          fc.pre(!hasNoSign || (place > 0 && place < key));
          const whole = mark.slice(0, place) + DAMAGES[damage]!(mark[place]!) + mark.slice(place + 1);
          const damaged = hasNoSign ? whole.slice(1) : whole;
          const items = [opener("command") + edge + first, damaged + edge + second]
            .map((item) => item + edge + closer("") + space);
          const text = wrapper[0] + space + callOpener("run") + space + items.join("") + callCloser("run") +
            space +
            wrapper[1];
          const calls = callsOf(eventsOf([text], { program, offered, minimumConfidence: 0.9 }))
            .filter(({ end }) => end?.kind === "call_end").map(({ json }) => JSON.parse(json));
          figures.cases++;
          figures[calls.length > 0 ? "intended" : "none"]++;
          for (const call of calls) {
            assert.deepEqual(call, { command: first, details: second }, JSON.stringify(text));
          }
        },
      ),
      runs(300),
    );
    tell(`damaged openers of ${dialect.rule} ${index}`, figures);
  });
}
