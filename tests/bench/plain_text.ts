/**
 * What it costs on plain text to look for more: all rules, or the thoughts in it, next to the default set alone, in processor
 * time, in one run.
 *
 *     deno run --allow-read --allow-env --allow-sys tests/bench/plain_text.ts
 *
 * The texts come whole and in pieces of 4 to 20 characters. All rules may take one and a half times the default set, and
 * separating thoughts 1.1 times.
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

/** The most that a way of reading takes next to the default set that leaves thoughts in the text. */
const RATIO_MAXIMUM = { all: 1.5, separated: 1.1 };

const offered = offer(OFFERED_NAMES.map((name) => ({ name })));
const { program } = compileRules(defaultRules());
const NAMES = ["default", "all", "separated"] as const;
type Way = typeof NAMES[number];
const ways: Readonly<Record<Way, { readonly program: Program; readonly separatesReasoning: boolean }>> = {
  default: { program, separatesReasoning: false },
  all: { program: compileRules(shippedRules()).program, separatesReasoning: false },
  separated: { program, separatesReasoning: true },
};

function read(way: Way, chunks: readonly string[]): void {
  const { program, separatesReasoning } = ways[way];
  const options = { offered, minimumConfidence: 0.9, wholeCalls: false, separatesReasoning };
  const matcher = new Matcher(program, options);
  const out = { push: () => {} };
  for (const event of textAnswer(chunks)) matcher.push(event, out);
}

/** The least processor time of several rounds, in milliseconds, the ways in turns. */
function measure(chunks: readonly string[]): Record<Way, number> {
  const best = { default: Infinity, all: Infinity, separated: Infinity };
  for (const name of NAMES) for (let run = 0; run < WARM_UPS; run++) read(name, chunks);
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of NAMES) {
      const before = process.cpuUsage();
      read(name, chunks);
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
const worst = { all: 0, separated: 0 };
for (const [name, text] of Object.entries(texts)) {
  for (const [how, chunks] of [["whole", [text]], ["in pieces", pieces(text)]] as const) {
    const time = measure(chunks);
    const all = time.all / time.default;
    const separated = time.separated / time.default;
    worst.all = Math.max(worst.all, all);
    worst.separated = Math.max(worst.separated, separated);
    const speed = (text.length / 1000 / time.default).toFixed(1);
    console.log(
      `${name}, ${how}: ${speed} MB/s with the default rules; all rules take ${all.toFixed(2)} ×, ` +
        `separated thoughts ${separated.toFixed(2)} ×`,
    );
  }
}
for (const name of ["all", "separated"] as const) {
  console.log(`${name}: at most ${worst[name].toFixed(2)} × the default set; wanted: ${RATIO_MAXIMUM[name]}`);
  if (worst[name] > RATIO_MAXIMUM[name]) Deno.exitCode = 1;
}
