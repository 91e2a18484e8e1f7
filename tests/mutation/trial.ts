/**
 * Chooses mutants of the sources, and finds out which of them a test notices.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Ground } from "./ground.ts";
import { applyMutant, type Mutant, mutantsOf } from "./mutant.ts";

const ROOT = join(import.meta.dirname!, "..", "..");
const FOLDERS = ["engine/scan", "engine/pattern", "engine/json", "chat/pipeline"];

/** A mutant of a file. */
export interface Candidate {
  /** From the project's folder. */
  readonly path: string;
  readonly source: string;
  readonly mutant: Mutant;
}

/** What became of a mutant; `absent` is one that changes nothing of what the tests read. */
export type Fate = "noticed" | "timeout" | "survives" | "absent";

/** Every mutant of the files whose path contains a text. */
export async function candidates(part = ""): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const folder of FOLDERS) await collect(`src/${folder}`, found);
  return found.filter(({ path }) => path.includes(part));
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

/**
 * A sample that depends on the seed and on each mutant's own line: a change elsewhere in the sources doesn't draw another one.
 */
export function sample(
  all: readonly Candidate[],
  { count, seed }: { count: number; seed: number },
): Candidate[] {
  const drawn = all.map((candidate) => ({ candidate, key: keyOf(candidate, seed) }));
  return drawn.sort((a, b) => a.key < b.key ? -1 : 1).slice(0, count).map(({ candidate }) => candidate);
}

function keyOf({ path, source, mutant: { line, offset, before, after } }: Candidate, seed: number): string {
  const begin = source.lastIndexOf("\n", offset - 1) + 1;
  const text = source.split("\n")[line - 1];
  return createHash("sha256").update(JSON.stringify([seed, path, text, offset - begin, before, after]))
    .digest("hex");
}

/** The tests that a mutant has to pass: those of its file, then of its folder, then what all of them rest on. */
export function testsOf(path: string): string[][] {
  const mirror = path.replace(/^src/, "tests").replace(/\.ts$/, "_test.ts");
  const folder = mirror.split("/").slice(0, 3).join("/");
  return [[mirror], [folder], ["tests/engine/scan", "tests/engine/rule", "tests/chat"], [
    "tests/property",
  ]];
}

/**
 * Runs the tests of a mutant's file, one list after the other, until one fails.
 *
 * @param limitMs how long a list may run; `Infinity` for no limit
 */
export async function fateOf(
  { path, source, mutant }: Candidate,
  { ground, tests, limitMs }: {
    readonly ground: Ground;
    readonly tests: readonly (readonly string[])[];
    readonly limitMs: number;
  },
): Promise<Fate> {
  try {
    if (!await ground.put(path, applyMutant(source, mutant))) return "absent";
    for (const paths of tests) {
      const result = await runTests(paths, { ...ground, limitMs });
      if (result !== "passed") return result;
    }
    return "survives";
  } finally {
    await ground.restore(path, source);
  }
}

/** Runs those of the tests that exist. */
export async function runTests(
  paths: readonly string[],
  { folder, config, limitMs }: Pick<Ground, "folder" | "config"> & { readonly limitMs: number },
): Promise<"passed" | "noticed" | "timeout"> {
  const present = paths.filter((path) => existsSync(join(ROOT, path)));
  if (present.length === 0) return "passed";
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      `--config=${config}`,
      "--no-check",
      "--allow-all",
      "--fail-fast",
      "--quiet",
      ...present,
    ],
    cwd: folder,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let isLate = false;
  const timer = limitMs === Infinity ? undefined : setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, limitMs);
  const { success } = await child.status;
  clearTimeout(timer);
  return success ? "passed" : isLate ? "timeout" : "noticed";
}
