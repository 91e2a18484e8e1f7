/**
 * Folders for tests, which are removed after the test.
 *
 * @module
 */
import { dirname, join } from "node:path";

const folders: string[] = [];

Deno.test.afterEach(async () => {
  for (const folder of folders.splice(0)) await Deno.remove(folder, { recursive: true });
});

/**
 * A new folder, which is removed after the current test.
 *
 * @param files path in the folder → text
 */
export async function temporaryFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await Deno.makeTempDir();
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    await Deno.writeTextFile(join(folder, path), text);
  }
  return folder;
}
