import assert from "node:assert/strict";
import { join } from "node:path";
import { cacheFolder, openRuleCache } from "../../../src/cli/service/rule_cache.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { createTestContext } from "../../support/context.ts";

const IS_WINDOWS = Deno.build.os === "windows";

/** A cache in a home, and its file. */
async function open() {
  const home = await temporaryFolder();
  const context = createTestContext({ environment: { XDG_CACHE_HOME: home } });
  const folder = join(home, "dragoman");
  return { cache: openRuleCache(context, { delayMs: 0 })!, folder, file: join(folder, "rules.json") };
}

/** Keeps a text, and waits until it is written. */
async function keep({ cache }: Pick<Awaited<ReturnType<typeof open>>, "cache">, text: string): Promise<void> {
  cache.keep(() => text);
  await new Promise((resolve) => setTimeout(resolve, 20));
}

Deno.test("the cache keeps the last text, in a folder and a file that are the user's alone", async () => {
  const opened = await open();
  assert.equal(await opened.cache.read(), undefined);
  await keep(opened, "first\nlines");
  assert.equal(await opened.cache.read(), "first\nlines");
  await keep(opened, "second");
  assert.equal(await opened.cache.read(), "second");
  assert.deepEqual([...Deno.readDirSync(opened.folder)].map(({ name }) => name), ["rules.json"]);
  if (IS_WINDOWS) return;
  const modes = [opened.folder, opened.file].map((path) => Deno.statSync(path).mode! & 0o777);
  assert.deepEqual(modes, [0o700, 0o600]);
});

Deno.test("a damaged text isn't read", async () => {
  const opened = await open();
  await keep(opened, "rules");
  const text = await Deno.readTextFile(opened.file);
  for (const damaged of [text.slice(0, -1), `${text} `, text.replace("rules", "rulez"), "", "rules", "\n"]) {
    await Deno.writeTextFile(opened.file, damaged);
    assert.equal(await opened.cache.read(), undefined, damaged);
  }
  await Deno.writeTextFile(opened.file, text);
  assert.equal(await opened.cache.read(), "rules");
});

Deno.test("a folder that others can open, or a link to one, is neither read nor written", async () => {
  if (IS_WINDOWS) return;
  const opened = await open();
  await keep(opened, "rules");
  for (const mode of [0o777, 0o755, 0o770, 0o701]) {
    await Deno.chmod(opened.folder, mode);
    assert.equal(await opened.cache.read(), undefined);
    await keep(opened, "others");
  }
  await Deno.chmod(opened.folder, 0o700);
  assert.equal(await opened.cache.read(), "rules");
  await Deno.rename(opened.folder, `${opened.folder}-elsewhere`);
  await Deno.symlink(`${opened.folder}-elsewhere`, opened.folder);
  assert.equal(await opened.cache.read(), undefined);
});

Deno.test("a folder that can't be made is no error", async () => {
  const opened = await open();
  await Deno.writeTextFile(opened.folder, "a file");
  await keep(opened, "rules");
  assert.equal(await opened.cache.read(), undefined);
});

Deno.test("the cache is in the user's folder for caches", () => {
  const folderIn = (environment: Record<string, string>) => cacheFolder(createTestContext({ environment }));
  assert.equal(folderIn({}), undefined);
  assert.equal(folderIn({ HOME: "relative", XDG_CACHE_HOME: "caches" }), undefined);
  if (IS_WINDOWS) return;
  assert.equal(folderIn({ HOME: "/me" }), "/me/.cache/dragoman");
  assert.equal(folderIn({ HOME: "/me", XDG_CACHE_HOME: "/caches" }), "/caches/dragoman");
  assert.equal(folderIn({ HOME: "/me", XDG_CACHE_HOME: "caches" }), "/me/.cache/dragoman");
  assert.equal(folderIn({ LOCALAPPDATA: "/local" }), "/local/dragoman/cache");
});
