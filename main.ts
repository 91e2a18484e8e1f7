/**
 * The program: hands its arguments to the command line and ends with its exit code.
 *
 * @module
 */
import { runCommandLine } from "./src/cli/cli.ts";
import { createWorld } from "./src/cli/world.ts";

Deno.exit(await runCommandLine(Deno.args, createWorld()));
