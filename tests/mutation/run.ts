/**
 * Changes the sources a little, one change at a time, and lists the changes that no test notices.
 *
 *     deno task test:mutants [--count N] [--seed N] [--file PART] [--workers N] [--packed]
 *
 * Takes a random sample of N mutants (120 unless given) of `src/engine/scan`, `src/engine/pattern`, `src/engine/json` and
 * `src/chat/pipeline`; the seed is printed. A survivor is explained in `survivors.json` or makes the task fail.
 *
 * With `--packed`, each mutant is built into the packed library, and the tests read the packed code. The same seed is the same
 * sample.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { packedGround, sourceGround } from "./ground.ts";
import { type Candidate, candidates, type Fate, fateOf, runTests, sample, testsOf } from "./trial.ts";

const { values: flags } = parseArgs({
  args: Deno.args,
  options: {
    count: { type: "string", default: "120" },
    seed: { type: "string", default: `${Date.now() % 100_000}` },
    file: { type: "string", default: "" },
    workers: { type: "string", default: "2" },
    packed: { type: "boolean", default: false },
  },
});

/** Why a mutant may survive: it changes nothing that can be observed. */
interface Explanation {
  readonly path: string;
  readonly line_text: string;
  readonly after: string;
  readonly why: string;
}

const explanations: readonly Explanation[] = JSON.parse(
  await Deno.readTextFile(join(import.meta.dirname!, "survivors.json")),
);

function lineText({ source, mutant }: Candidate): string {
  return source.split("\n")[mutant.line - 1]!.trim();
}

function isExplained(candidate: Candidate): boolean {
  return explanations.some(({ path, line_text, after }) =>
    path === candidate.path && line_text === lineText(candidate) &&
    after === candidate.mutant.after
  );
}

/** What a mutant can meet. */
const EVERY_TEST = ["tests/engine", "tests/chat", "tests/property"];

/** A mutant that makes the tests take this many times as long as all of them do without it counts as noticed. */
const SLOWER_MAXIMUM = 2;

const all = await candidates(flags.file);
const seed = Number(flags.seed);
const queue = sample(all, { count: Number(flags.count), seed });
const total = queue.length;
console.log(
  `${total} of ${all.length} mutants, seed ${seed}${flags.packed ? ", in the packed library" : ""}`,
);
const fates: Record<Fate, Candidate[]> = { noticed: [], timeout: [], survives: [], absent: [] };
let done = 0;
const makeGround = () => flags.packed ? packedGround() : sourceGround();
const limitMs = await timeWithoutMutant() * SLOWER_MAXIMUM;
await Promise.all(Array.from({ length: Number(flags.workers) }, async () => {
  await using ground = await makeGround();
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const fate = await fateOf(next, { ground, tests: testsOf(next.path), limitMs });
    fates[fate].push(next);
    if (fate === "survives") {
      const { path, mutant: { line, before, after } } = next;
      console.log(
        `survives: ${path}:${line}  ${lineText(next)}\n            ${before.trim()} → ${after.trim()}`,
      );
    }
    if (++done % 20 === 0) {
      console.log(`${done} of ${total}, ${fates.survives.length} survive`);
    }
  }
}));
const unexplained = fates.survives.filter((survivor) => !isExplained(survivor));
const absent = fates.absent.length === 0 ? "" : ` ${fates.absent.length} change nothing of the package;`;
console.log(
  `${
    fates.noticed.length + fates.timeout.length
  } of ${total} mutants noticed, ${fates.timeout.length} by a timeout;${absent} ${fates.survives.length} survive, ` +
    `${unexplained.length} of them without an explanation in tests/mutation/survivors.json`,
);
if (unexplained.length > 0) Deno.exitCode = 1;

/** How long all tests run without a mutant, in milliseconds. A test that fails anyway notices nothing. */
async function timeWithoutMutant(): Promise<number> {
  await using ground = await makeGround();
  const began = performance.now();
  if (await runTests(EVERY_TEST, { ...ground, limitMs: Infinity }) !== "passed") {
    throw new Error("The tests fail without a mutant");
  }
  return performance.now() - began;
}
