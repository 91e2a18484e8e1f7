/**
 * An answer that is twice as long takes at most two and a half times the work. Work is counted, not timed
 * (`tests/support/work.ts`); `tests/bench/adversarial.ts` times.
 */
import assert from "node:assert/strict";
import { ADVERSARIAL, adversarial } from "../support/adversarial.ts";
import { piecesOf } from "../support/cuts.ts";
import { OFFERED } from "../support/dialect_text.ts";
import { eventsOf, programOf, shippedRules } from "../support/matcher_events.ts";
import { countWork } from "../support/work.ts";

const LENGTH = 12_000;
const GROWTH_MAXIMUM = 2.5;
/** Less work than this for each character says nothing of growth. */
const NOISE = 2;

const program = programOf(...shippedRules());

const cuts: readonly [how: string, cut: (text: string) => string[]][] = [
  ["whole", (text) => [text]],
  ["in pieces", (text) => piecesOf(text, [7, 3, 16, 5])],
];

for (const name of ADVERSARIAL) {
  Deno.test(`Matcher takes at most two and a half times the work for twice as much of ${name}`, () => {
    for (const [how, cut] of cuts) {
      for (const wholeCalls of [false, true]) {
        const [short, long] = [LENGTH, 2 * LENGTH].map((length) => {
          const pieces = cut(adversarial(name, length));
          return countWork(() => eventsOf(pieces, { program, offered: OFFERED, wholeCalls }));
        });
        const growth = long! / Math.max(short!, NOISE * LENGTH);
        assert.ok(growth <= GROWTH_MAXIMUM, `${how}: ${short} → ${long}, × ${growth.toFixed(2)}`);
      }
    }
  });
}
