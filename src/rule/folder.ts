/**
 * Where the rules that ship with the program are: next to it, in a compiled binary too.
 *
 * @module
 */
import { join } from "node:path";

/** The folder of the rules that ship with the program. */
export const BUILT_IN_RULES: string = join(import.meta.dirname ?? ".", "..", "..", "rules");
