/**
 * Writes the table of recorded cases that we read in another way than the engine: `rules/quirks.md`.
 * `deno run --allow-write tests/support/quirks_table.ts`
 *
 * @module
 */
import { quirksTable } from "./quirks.ts";

await Deno.writeTextFile("rules/quirks.md", quirksTable());
