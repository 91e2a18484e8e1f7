/**
 * Where the rules that ship with the program are: next to it, in a compiled binary too.
 *
 * @module
 */
import { SHIPPED_FOLDER } from "../document/shipped_folder.ts";

/** The folder of the rules that ship with the program. */
export const BUILT_IN_RULES: string = SHIPPED_FOLDER;
