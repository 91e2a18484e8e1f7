/**
 * An answer that is twice as long takes at most two and a half times the work. Work is counted, not timed
 * (`tests/support/work.ts`); `tests/bench/adversarial.ts` times.
 */
import assert from "node:assert/strict";
import { translateWhole } from "../../src/chat/pipeline/whole.ts";
import { ToolCallRenderer } from "../../src/chat/render/tool_calls.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";
import type { Program } from "../../src/engine/scan/program.ts";
import { ADVERSARIAL, adversarial } from "../support/adversarial.ts";
import { piecesOf } from "../support/cuts.ts";
import { OFFERED } from "../support/dialect_text.ts";
import { IS_THOROUGH } from "../support/fuzz.ts";
import { eventsOf, programOf, shippedRules } from "../support/matcher_events.ts";
import { countWork } from "../support/work.ts";

const LENGTH = IS_THOROUGH ? 12_000 : 6_000;
/** A text of this length makes the states of the automata, which no later text makes again. */
const WARMING_LENGTH = 1_000;
const GROWTH_MAXIMUM = 2.5;
/** Less work than this for each character says nothing of growth. */
const NOISE = 2;

/** Texts with many calls: what follows the matcher works for each call. */
const MANY_CALLS = ["whole calls", "unique keys", "examples of calls in a value", "calls that aren't JSON"];

const program = programOf(...shippedRules());

const cuts: readonly [how: string, cut: (text: string) => string[]][] = [
  ["whole", (text) => [text]],
  ["in pieces", (text) => piecesOf(text, [7, 3, 16, 5])],
];

for (const name of ADVERSARIAL) {
  Deno.test(`Matcher takes at most two and a half times the work for twice as much of ${name}`, () => {
    for (const [index, [how, cut]] of cuts.entries()) {
      for (const wholeCalls of IS_THOROUGH ? [false, true] : [index === 0]) {
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

for (const name of MANY_CALLS) {
  Deno.test(`A whole answer takes at most two and a half times the work for twice as much of ${name}`, () => {
    const [short, long] = [2 * LENGTH, 4 * LENGTH].map((length) => {
      // Each length has a program of its own: one that has read the same keys before has them in memory.
      const program = programOf(...shippedRules());
      translate(program, adversarial(name, WARMING_LENGTH));
      return countWork(() => translate(program, adversarial(name, length)));
    });
    const growth = long! / short!;
    assert.ok(growth <= GROWTH_MAXIMUM, `${short} → ${long}, × ${growth.toFixed(2)}`);
  });
}

/** Translates a whole answer whose text is this. */
function translate(program: Program, content: string): void {
  const message = { role: "assistant", content };
  const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "stop" }] });
  const options = { offered: OFFERED, minimumConfidence: 0, wholeCalls: false };
  let count = 0;
  translateWhole(body, {
    createMatcher: () => new Matcher(program, options),
    createRenderer: () => new ToolCallRenderer(() => `call_${++count}`),
  });
}
