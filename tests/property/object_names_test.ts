/**
 * Names that every JavaScript object has, in a model's text, in the notation of every rule: they are read like any other
 * word.
 *
 * @module
 */
import assert from "node:assert/strict";
import { anyTool } from "../../src/engine/tool/offered.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { callsOf, eventsOf, programOf, shippedRules } from "../support/matcher_events.ts";

/**
 * A name of `Object.prototype`, and one that is nothing special. Both end in the same letter, because a notation without
 * a mark between the name and the first key can end the name before it.
 */
const NAMES = [
  ["constructor", "ordinarior"],
  ["toString", "toOtherg"],
  ["valueOf", "valueIf"],
  ["__proto__", "__other__"],
] as const;

/** A word, a text, or a name in an example. */
const WORDS = /"[^"\n]*"|[A-Za-z_]\w*/g;

const rules = shippedRules();
const program = programOf(...rules);

for (const { rule, examples } of rules) {
  Deno.test(`${rule}: names that every object has are ordinary words`, () => {
    for (const { input } of examples.slice(0, IS_THOROUGH ? 2 : 1)) {
      const words = [...input.matchAll(WORDS)].slice(0, 30);
      for (const { index, 0: word } of IS_THOROUGH ? words : words.filter((_, index) => index % 3 === 0)) {
        const ends = [input.slice(0, index), input.slice(index + word.length)] as const;
        for (const before of ["", '"', "&"]) {
          const after = before === "&" ? ";" : before;
          for (const [special, ordinary] of NAMES) {
            const [one, other] = [special, ordinary].map((name) => {
              const calls = callsOf(
                eventsOf([ends.join(before + name + after)], { program, offered: anyTool }),
              );
              return calls.map(({ start, json, end }) =>
                `${start.tool} ${json} ${end?.kind}`.replaceAll(name, "NAME").replaceAll(
                  name.slice(0, -1),
                  "NAM",
                )
              );
            });
            assert.deepEqual(one, other, ends.join(special));
          }
        }
      }
    }
  });
}
