/**
 * What more rules cost on plain text: all rules on, next to the default set, in processor time, in one run.
 *
 *     deno run --allow-read --allow-env --allow-sys tests/bench/plain_text.ts
 *
 * The texts come whole and in pieces of 4 to 20 characters. All rules may take one and a half times the default set.
 *
 * @module
 */
import process from "node:process";
import { textAnswer } from "../../src/engine/event/stage.ts";
import { compileRules } from "../../src/engine/rule/compile.ts";
import { Matcher } from "../../src/engine/scan/matcher.ts";
import type { Program } from "../../src/engine/scan/program.ts";
import { offer } from "../../src/engine/tool/offered.ts";
import { defaultRules, shippedRules } from "../support/matcher_events.ts";
import { OFFERED_NAMES, PROSE } from "../support/ordinary_text.ts";
import { corpora, pieces } from "./corpus.ts";

const LENGTH = 200_000;
const WARM_UPS = 15;
const ROUNDS = 14;
const RATIO_MAXIMUM = 1.5;

const offered = offer(OFFERED_NAMES.map((name) => ({ name })));
const programs: Readonly<Record<"default" | "all", Program>> = {
  default: compileRules(defaultRules()).program,
  all: compileRules(shippedRules()).program,
};

function read(program: Program, chunks: readonly string[]): void {
  const matcher = new Matcher(program, { offered, minimumConfidence: 0.9, wholeCalls: false });
  const out = { push: () => {} };
  for (const event of textAnswer(chunks)) matcher.push(event, out);
}

/** The least processor time of several rounds, in milliseconds, the programs in turns. */
function measure(chunks: readonly string[]): { default: number; all: number } {
  const best = { default: Infinity, all: Infinity };
  const names = ["default", "all"] as const;
  for (const name of names) for (let run = 0; run < WARM_UPS; run++) read(programs[name], chunks);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      const before = process.cpuUsage();
      read(programs[name], chunks);
      const { user, system } = process.cpuUsage(before);
      best[name] = Math.min(best[name], (user + system) / 1000);
    }
  }
  return best;
}

const texts = {
  "code and prose": corpora(LENGTH)[0]!.text,
  prose: PROSE.repeat(Math.ceil(LENGTH / PROSE.length)),
};
let worst = 0;
for (const [name, text] of Object.entries(texts)) {
  for (const [how, chunks] of [["whole", [text]], ["in pieces", pieces(text)]] as const) {
    const time = measure(chunks);
    const ratio = time.all / time.default;
    worst = Math.max(worst, ratio);
    const speed = (text.length / 1000 / time.default).toFixed(1);
    console.log(
      `${name}, ${how}: ${speed} MB/s with the default rules; all rules take ${ratio.toFixed(2)} ×`,
    );
  }
}
console.log(
  `\nAll rules take at most ${worst.toFixed(2)} × the time of the default set; wanted: ${RATIO_MAXIMUM}.`,
);
if (worst > RATIO_MAXIMUM) Deno.exit(1);
