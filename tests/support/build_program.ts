/**
 * Bundles the program, as the npm package has it, for tests that start it: a start then takes two thirds of the processor
 * time, and a run of all tests starts it a hundred times. `tests/run.ts` builds it into `dist/test_program`, and names it to the
 * tests (`program_file.ts`). Files that the program reads are links to those of the project.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { writeBundle } from "../../src/cli/build/package.ts";
import { BUILT_PROGRAM, ROOT } from "./program_file.ts";

const LINKED = ["deno.json", "deno.lock", "rules", "plugins", "src/admin", "src/engine"];

const folder = join(dirname(BUILT_PROGRAM), "..", "..", "..");
await Deno.mkdir(dirname(BUILT_PROGRAM), { recursive: true });
for (const path of LINKED) {
  await Deno.remove(join(folder, path)).catch(() => {});
  await Deno.symlink(join(ROOT, path), join(folder, path));
}
const sources = await Deno.makeTempDir({ prefix: "dragoman-sources-" });
await writeBundle(BUILT_PROGRAM, sources);
await Deno.remove(sources, { recursive: true });
