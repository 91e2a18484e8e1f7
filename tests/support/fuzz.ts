/**
 * How many cases the tests try. `deno task test` tries a twentieth of them, so that it stays short; `.ci/run` tries all. The
 * seed is fixed, so that every run sees the same cases:
 *
 *     DRAGOMAN_THOROUGH=1 deno task test tests/property
 *     DRAGOMAN_FUZZ_CASES=100000 DRAGOMAN_FUZZ_SEED=7 deno task test tests/property
 *
 * @module
 */

const cases = Deno.env.get("DRAGOMAN_FUZZ_CASES");

/** Whether all cases are tried, as in continuous integration. */
export const IS_THOROUGH = Deno.env.get("DRAGOMAN_THOROUGH") === "1";

/** Of how many cases a short run tries one. */
const SHARE = 20;

/** The seed of all cases; fast-check prints it with a case that fails. */
export const SEED = Number(Deno.env.get("DRAGOMAN_FUZZ_SEED") ?? 20_261_121);

/** How many cases to run: all, or a twentieth in a short run, unless the environment asks for another number. */
export function runs(all: number): { seed: number; numRuns: number } {
  const usual = IS_THOROUGH ? all : Math.ceil(all / SHARE);
  return { seed: SEED, numRuns: cases === undefined ? usual : Number(cases) };
}

/** All items; in a short run, every item whose index is a multiple of the share. */
export function sampled<T>(items: readonly T[], share: number): readonly T[] {
  return IS_THOROUGH ? items : items.filter((_, index) => index % share === 0);
}

/** Tells the figures of a long run; the usual run is silent. */
export function tell(what: string, figures: Readonly<Record<string, number>>): void {
  if (cases === undefined) return;
  const list = Object.entries(figures).map(([name, count]) => `${count} ${name}`);
  console.log(`${what}, seed ${SEED}: ${list.join(", ")}`);
}
