/** Where the rules and clients that ship with the program are: next to it, in a package and in a binary too. @module */
import { join } from "node:path";

/** The folder of the rules that ship; its folder `clients` has the clients. */
export const SHIPPED_FOLDER: string = join(import.meta.dirname ?? ".", "..", "..", "..", "rules");
