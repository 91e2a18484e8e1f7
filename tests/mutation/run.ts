/**
 * Changes the sources a little, one change at a time, and lists the changes that no test notices.
 *
 *     deno task test:mutants [--count N] [--seed N] [--file PART] [--workers N]
 *
 * Takes a random sample of N mutants (120 unless said otherwise) of `src/engine/scan`, `src/engine/pattern`, `src/engine/json` and
 * `src/chat/pipeline`; the seed is printed. A survivor is explained in `survivors.json` or makes the task fail.
 *
 * @module
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { applyMutant, type Mutant, mutantsOf } from "./mutant.ts";

const ROOT = join(import.meta.dirname!, "..", "..");
const FOLDERS = ["engine/scan", "engine/pattern", "engine/json", "chat/pipeline"];
/** What a worker needs of the project. */
const COPIED = [
  "src",
  "tests",
  "rules",
  "plugins",
  "main.ts",
  "deno.json",
  "deno.lock",
];
/** Reloads rules for most of a minute; the folders of the mutants don't matter to it. */
const IGNORED = "tests/property/reload_storm_test.ts";
/** A mutant that makes the tests run longer than this counts as noticed; the count of these is printed. */
const TIMEOUT_MS = 300_000;

const { values: flags } = parseArgs({
  args: Deno.args,
  options: {
    count: { type: "string", default: "120" },
    seed: { type: "string", default: `${Date.now() % 100_000}` },
    file: { type: "string", default: "" },
    workers: { type: "string", default: "2" },
  },
});

interface Candidate {
  /** From the project's folder. */
  readonly path: string;
  readonly source: string;
  readonly mutant: Mutant;
}

/** Why a mutant may survive: it changes nothing that can be observed. */
interface Explanation {
  readonly path: string;
  readonly line_text: string;
  readonly after: string;
  readonly why: string;
}

async function candidates(): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const folder of FOLDERS) await collect(`src/${folder}`, found);
  return found.filter(({ path }) => path.includes(flags.file));
}

async function collect(folder: string, found: Candidate[]): Promise<void> {
  for await (const entry of Deno.readDir(join(ROOT, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) await collect(path, found);
    else {
      const source = await Deno.readTextFile(join(ROOT, path));
      for (const mutant of mutantsOf(source)) {
        found.push({ path, source, mutant });
      }
    }
  }
}

/** A sample that depends on the seed alone. */
function sample<T>(
  all: readonly T[],
  { count, seed }: { count: number; seed: number },
): T[] {
  const rest = [...all];
  const taken: T[] = [];
  let state = seed >>> 0;
  while (taken.length < count && rest.length > 0) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    taken.push(...rest.splice((state >>> 8) % rest.length, 1));
  }
  return taken;
}

/** The tests that a mutant has to pass: those of its file, then of its folder, then what all of them rest on. */
function testsOf(path: string): string[][] {
  const mirror = path.replace(/^src/, "tests").replace(/\.ts$/, "_test.ts");
  const folder = mirror.split("/").slice(0, 3).join("/");
  return [[mirror], [folder], ["tests/engine/scan", "tests/engine/rule", "tests/chat/pipeline"], [
    "tests/property",
  ]];
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

async function isNoticed(
  { path, source, mutant }: Candidate,
  folder: string,
): Promise<boolean> {
  const file = join(folder, path);
  await Deno.writeTextFile(file, applyMutant(source, mutant));
  try {
    for (const paths of testsOf(path)) {
      const present: string[] = [];
      for (const one of paths) {
        if (await exists(join(folder, one))) present.push(one);
      }
      if (present.length > 0 && !await passes(present, folder)) return true;
    }
    return false;
  } finally {
    await Deno.writeTextFile(file, source);
  }
}

async function passes(
  paths: readonly string[],
  folder: string,
): Promise<boolean> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--config=tests/deno.json",
      "--no-check",
      "--allow-all",
      "--fail-fast",
      "--quiet",
      `--ignore=${IGNORED}`,
      ...paths,
    ],
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => {
    timeouts++;
    child.kill("SIGKILL");
  }, TIMEOUT_MS);
  const { success } = await child.status;
  clearTimeout(timer);
  return success;
}

async function copyProject(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "dragoman-mutants-" });
  const copy = new Deno.Command("cp", {
    args: ["-r", ...COPIED.map((name) => join(ROOT, name)), folder],
  });
  await copy.output();
  return folder;
}

function lineText({ source, mutant }: Candidate): string {
  return source.split("\n")[mutant.line - 1]!.trim();
}

const explanations: readonly Explanation[] = JSON.parse(
  await Deno.readTextFile(join(import.meta.dirname!, "survivors.json")),
);

function explanationOf(candidate: Candidate): Explanation | undefined {
  return explanations.find(({ path, line_text, after }) =>
    path === candidate.path && line_text === lineText(candidate) &&
    after === candidate.mutant.after
  );
}

const all = await candidates();
const seed = Number(flags.seed);
const queue = sample(all, { count: Number(flags.count), seed });
console.log(`${queue.length} of ${all.length} mutants, seed ${seed}`);
const survivors: Candidate[] = [];
let timeouts = 0;
let done = 0;
const total = queue.length;
await Promise.all(Array.from({ length: Number(flags.workers) }, async () => {
  const folder = await copyProject();
  try {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (!await isNoticed(next, folder)) {
        survivors.push(next);
        const { path, mutant: { line, before, after } } = next;
        console.log(
          `survives: ${path}:${line}  ${lineText(next)}\n            ${before.trim()} → ${after.trim()}`,
        );
      }
      if (++done % 20 === 0) {
        console.log(`${done} of ${total}, ${survivors.length} survive`);
      }
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}));
const unexplained = survivors.filter((survivor) => explanationOf(survivor) === undefined);
console.log(
  `${
    total - survivors.length
  } of ${total} mutants noticed, ${timeouts} by a timeout; ${survivors.length} survive, ` +
    `${unexplained.length} of them without an explanation in tests/mutation/survivors.json`,
);
if (unexplained.length > 0) Deno.exitCode = 1;
