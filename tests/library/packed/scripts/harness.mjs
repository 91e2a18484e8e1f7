/** Runs checks one after the other and prints a line for each. */
import { deepStrictEqual } from "node:assert";

export const equal = deepStrictEqual;

/** @param checks name → function that throws if it fails */
export async function runChecks(checks) {
  let failed = 0;
  for (const [name, run] of Object.entries(checks)) {
    try {
      await run();
      console.log(`ok ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}: ${error?.stack ?? error}`);
    }
  }
  console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
