import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { browserTest } from "./chromium.ts";
import { BYTES_MAX, PICTURES, takeAll } from "./screenshots.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Which a test of its own takes. */
const OF_NEWCOMER = "newcomer.png";

async function shownPictures(): Promise<string[]> {
  const shown = new Set<string>();
  for (
    const folder of ["", "src/docs", "src/docs/guide", "src/docs/reference", "rules", "plugins", "tests"]
  ) {
    for await (const { name } of Deno.readDir(join(ROOT, folder))) {
      if (!name.endsWith(".md")) continue;
      const page = join(ROOT, folder, name);
      for (const [, path = ""] of (await Deno.readTextFile(page)).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)) {
        shown.add(relative(PICTURES, join(dirname(page), path)));
      }
    }
  }
  return [...shown].sort();
}

async function filesOf(folder: string): Promise<string[]> {
  return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
}

browserTest("the task takes every picture of the docs, and each one is shown and small", async (browser) => {
  const shown = await shownPictures();
  assert.deepEqual(await filesOf(PICTURES), shown);
  for (const name of shown) assert.ok((await Deno.stat(join(PICTURES, name))).size <= BYTES_MAX, name);
  const pictures = await temporaryFolder();
  await takeAll({ browser, pictures });
  assert.deepEqual(await filesOf(pictures), shown.filter((name) => name !== OF_NEWCOMER));
});
