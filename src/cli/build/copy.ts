/** Copies sources for `deno bundle`, whose bundler doesn't know `import defer` yet. @module */
import { dirname, join } from "node:path";

/** Copies a file or a folder; modules that are imported late in the sources are imported at once in the copy. */
export async function copyForBundle(from: string, to: string): Promise<void> {
  if ((await Deno.stat(from)).isDirectory) {
    for await (const { name } of Deno.readDir(from)) await copyForBundle(join(from, name), join(to, name));
    return;
  }
  await Deno.mkdir(dirname(to), { recursive: true });
  if (!from.endsWith(".ts")) return await Deno.copyFile(from, to);
  const text = await Deno.readTextFile(from);
  await Deno.writeTextFile(to, text.replace(/^import defer \*/gm, "import *"));
}
