/**
 * The library's goals, in one run: the sizes of its bundles, the time from import to the first answer, and its speed next to the
 * nearest parser, in Node 20 from the packed file.
 *
 *     deno run -A --config tests/deno.json tests/bench/library.ts
 *
 * It exits with 1 if a goal on speed is missed. A peer that finds other calls is marked, and counts for nothing.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { installSets } from "../library/packed/install.ts";
import { run, runScript, sdkPlace } from "../library/packed/place.ts";
import { measureBundles } from "../library/sizes.ts";

const STARTS = 9;
const START_GOAL_MS = 30;
const PLAIN_GOAL = 20;
const RATIO_GOAL = 7;

interface SpeedRow {
  readonly text: string;
  readonly characters: number;
  readonly readers: Readonly<Record<string, { readonly ms: number; readonly calls: number }>>;
}

const reason = await installSets();
if (reason !== undefined) {
  console.log(`SKIPPED: ${reason}`);
  Deno.exit(0);
}
const missed: string[] = [];

console.log("Loaded at once, minified and compressed with gzip -9:");
for (const { name, bytes, compressed, goal } of await measureBundles()) {
  const verdict = compressed <= goal ? "" : ", missed";
  console.log(
    `  ${name.padEnd(50)} ${String(bytes).padStart(8)} ${
      String(compressed).padStart(7)
    }   goal ${goal}${verdict}`,
  );
}

const folder = await sdkPlace("sdk6");
try {
  const times: number[][] = [];
  for (let count = 0; count < STARTS; count++) {
    times.push(JSON.parse(await runScript("node20", "start.mjs", folder)));
  }
  const [imported, answered] = [0, 1].map((index) => Math.min(...times.map((time) => time[index]!)));
  console.log(
    `\nNode 20, best of ${STARTS}: import ${imported!.toFixed(1)} ms, first answer ${
      answered!.toFixed(1)
    } ms; goal ${START_GOAL_MS} ms`,
  );
  if (answered! > START_GOAL_MS) missed.push("the first answer");

  const corpus = new URL("./corpus.ts", import.meta.url).pathname;
  const flags = [
    "bundle",
    "--quiet",
    "--no-config",
    "--platform",
    "browser",
    "-o",
    join(folder, "corpus.js"),
    corpus,
  ];
  const bundled = await run(Deno.execPath(), flags, folder);
  assert.equal(bundled.code, 0, bundled.output);
  const rows: readonly SpeedRow[] = JSON.parse(await runScript("node20", "speed.mjs", folder));
  for (const { text, characters, readers } of rows) {
    const { dragoman: own, ...peers } = readers;
    const speed = (ms: number) => characters / 1000 / ms;
    console.log(`\n${text}\n  dragoman ${speed(own!.ms).toFixed(1)} MB/s, ${own!.calls} calls`);
    for (const [name, { ms, calls }] of Object.entries(peers)) {
      const ratio = ms / own!.ms;
      const isSame = calls === own!.calls;
      console.log(
        `  ${name} ${speed(ms).toFixed(2)} MB/s, ${calls} calls: ${ratio.toFixed(1)} ×${
          isSame ? "" : ", finds other calls"
        }`,
      );
      if (isSame && calls > 0 && ratio < RATIO_GOAL) missed.push(`${text}: ${ratio.toFixed(1)} × ${name}`);
    }
    if (text === "plain text" && speed(own!.ms) < PLAIN_GOAL) {
      missed.push(`${text}: ${speed(own!.ms).toFixed(1)} MB/s`);
    }
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
console.log(missed.length === 0 ? "\nEvery goal on speed is met." : `\nMissed: ${missed.join("; ")}`);
Deno.exit(missed.length === 0 ? 0 : 1);
