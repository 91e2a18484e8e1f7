/**
 * How long the property tests look. The seed is fixed, so that every run sees the same cases:
 *
 *     DRAGOMAN_FUZZ_CASES=100000 DRAGOMAN_FUZZ_SEED=7 deno test -A tests/property
 *
 * @module
 */

const cases = Deno.env.get("DRAGOMAN_FUZZ_CASES");

/** The seed of all cases; fast-check prints it with a case that fails. */
export const SEED = Number(Deno.env.get("DRAGOMAN_FUZZ_SEED") ?? 20_261_121);

/** How many cases to run: the usual number, unless the environment asks for another. */
export function runs(usual: number): { seed: number; numRuns: number } {
  return { seed: SEED, numRuns: cases === undefined ? usual : Number(cases) };
}

/** Tells the figures of a long run; the usual run is silent. */
export function tell(what: string, figures: Readonly<Record<string, number>>): void {
  if (cases === undefined) return;
  const list = Object.entries(figures).map(([name, count]) => `${count} ${name}`);
  console.log(`${what}, seed ${SEED}: ${list.join(", ")}`);
}
