/** The file of the program that tests start. @module */
import { join } from "node:path";

export const ROOT = join(import.meta.dirname!, "..", "..");

/** Where `build_program.ts` writes the bundle. It isn't called `.js`, so that it speaks as a clone does. */
export const BUILT_PROGRAM = join(ROOT, "dist", "test_program", "src", "cli", "bundle", "main.mjs");

/** The bundle in a run of all tests; otherwise main.ts. */
export const PROGRAM = Deno.env.get("DRAGOMAN_TEST_PROGRAM") ?? join(ROOT, "main.ts");
