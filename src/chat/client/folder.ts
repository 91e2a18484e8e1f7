/** Where the clients that ship with the program are: next to it, in a compiled binary too. @module */
import { join } from "node:path";
import { SHIPPED_FOLDER } from "../../engine/document/shipped_folder.ts";

export const BUILT_IN_CLIENTS: string = join(SHIPPED_FOLDER, "clients");
