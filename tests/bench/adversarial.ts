/**
 * Whether reading takes twice as long when the answer is twice as long, for texts written to be slow to read:
 *
 *     deno run --allow-read --allow-env tests/bench/adversarial.ts
 *
 * Each text is read whole and in pieces of 4 to 20 characters; the best of five rounds counts. A ratio far above 2
 * where the time is above some 60 ms is quadratic. `tests/property/matcher_linear_test.ts` counts steps instead.
 *
 * @module
 */
import { textAnswer } from "../../src/engine/event/stage.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";
import { ADVERSARIAL, adversarial } from "../support/adversarial.ts";
import { OFFERED } from "../support/dialect_text.ts";
import { programOf, shippedRules } from "../support/matcher_events.ts";
import { pieces } from "./corpus.ts";

const LENGTH = 200_000;
const ROUNDS = 5;
/** Below this, a time shows nothing. */
const NOISE_MS = 60;
const RATIO_MAXIMUM = 3;

const program = programOf(...shippedRules());

const NOWHERE = { push() {} };

function time(parts: readonly string[]): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const matcher = new Matcher(program, { offered: OFFERED, minimumConfidence: 0, wholeCalls: false });
    const began = performance.now();
    for (const event of textAnswer(parts)) matcher.push(event, NOWHERE);
    best = Math.min(best, performance.now() - began);
  }
  return best;
}

let slow = 0;
for (const name of ADVERSARIAL) {
  const row = [[(text: string) => [text], "whole"], [pieces, "pieces"]] as const;
  const cells = row.map(([cut, how]) => {
    const [short, long] = [LENGTH, 2 * LENGTH].map((length) => time(cut(adversarial(name, length))));
    const ratio = long! / short!;
    const isSlow = long! > NOISE_MS && ratio > RATIO_MAXIMUM;
    if (isSlow) slow++;
    return `${how} ${short!.toFixed(1).padStart(7)} → ${long!.toFixed(1).padStart(7)} ms × ${
      ratio.toFixed(2)
    }${isSlow ? " !" : "  "}`;
  });
  console.log(`${name.padEnd(36)} ${cells.join("   ")}`);
}
console.log(slow === 0 ? "No text takes more than its share." : `${slow} texts take more than their share.`);
if (slow > 0) Deno.exit(1);
