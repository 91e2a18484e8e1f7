/**
 * Writes the table of recorded cases that Dragoman reads differently from the engine: `rules/quirks.md`.
 * `deno task generate` runs it.
 *
 * @module
 */
import { quirksPage } from "./quirks.ts";

await Deno.writeTextFile("rules/quirks.md", quirksPage());
