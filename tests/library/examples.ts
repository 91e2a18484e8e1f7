/**
 * The examples of the library's page.
 *
 * @module
 */

/** Name → code. */
export async function examplesOf(): Promise<Readonly<Record<string, string>>> {
  const page = await Deno.readTextFile(new URL("../../src/docs/reference/library.md", import.meta.url));
  const found = [
    ...page.matchAll(/^```(?:js|html)\n(?:\/\/|<!--) example: ([a-z-]+)(?: -->)?\n([\s\S]*?)^```$/gm),
  ];
  return Object.fromEntries(found.map(([, name = "", code = ""]) => [name, code]));
}
