/** Where the rules that ship with the program are: next to it, in a compiled binary too. @module */
import type { Folder } from "../document/load.ts";
import { SHIPPED_FOLDER } from "../document/shipped_folder.ts";

export const BUILT_IN_RULES: string = SHIPPED_FOLDER;

/** The rules that ship with the program: those of dialects, and in a part of their own those of Markdown's quotations. */
export const SHIPPED_RULES: Folder = {
  path: BUILT_IN_RULES,
  isRequired: true,
  parts: ["quotations"],
};
