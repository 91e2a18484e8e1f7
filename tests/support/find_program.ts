/**
 * Finds a program that a test runs if the machine has it.
 *
 * @module
 */
import { join } from "node:path";

/** Where Debian has servers, which the PATH of a user lacks. */
const MORE = ["/usr/sbin", "/usr/local/sbin", "/sbin"];

/** The path of a program, or undefined. */
export async function findProgram(name: string): Promise<string | undefined> {
  const folders = [...(Deno.env.get("PATH") ?? "").split(":"), ...MORE].filter((folder) => folder !== "");
  for (const folder of folders) {
    const path = join(folder, name);
    if (await Deno.stat(path).then(({ isFile }) => isFile, () => false)) return path;
  }
  return undefined;
}
