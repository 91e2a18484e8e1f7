import assert from "node:assert/strict";
import { join } from "node:path";
import { buildPage, BUILT, sizesIn } from "../../../src/cli/build/page.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const KILOBYTE = 1000;

Deno.test("the page that is checked in is what its sources build, byte for byte", async (t) => {
  const folder = await temporaryFolder();
  try {
    await buildPage(folder);
  } catch (cause) {
    if (!/esbuild/i.test(String(cause))) throw cause;
    return console.log(`SKIPPED ${t.name}: the bundler isn't here and can't be downloaded`);
  }
  const [built, checkedIn] = await Promise.all([sizesIn(folder), sizesIn(BUILT)]);
  const advice = "run `deno task page` and commit the result";
  assert.deepEqual(checkedIn.map(({ path }) => path), built.map(({ path }) => path), advice);
  for (const { path } of built) {
    const [one, other] = await Promise.all(
      [folder, BUILT].map((place) => Deno.readTextFile(join(place, path))),
    );
    assert.ok(one === other, `${path} differs: ${advice}`);
  }
});

Deno.test("every script that a script of the page imports is there", async () => {
  const paths = (await sizesIn(BUILT)).map(({ path }) => path).filter((path) => path.endsWith(".js"));
  let count = 0;
  for (const path of paths) {
    const text = await Deno.readTextFile(join(BUILT, path));
    for (const [, imported = ""] of text.matchAll(/"(\.{1,2}\/[^"\s]{1,60}\.js)"/g)) {
      count++;
      assert.ok(paths.includes(join(path, "..", imported)), `${path} imports ${imported}`);
    }
  }
  assert.ok(count > 5);
});

Deno.test("the page is small: 80 kB compressed when it opens, 340 kB in all", async () => {
  const files = await sizesIn(BUILT);
  const sum = (paths: readonly string[]) =>
    files.filter(({ path }) => paths.includes(path)).reduce((total, { compressed }) => total + compressed, 0);
  const first = await loadedAtFirst();
  assert.ok(first.includes("main.js") && first.includes("style.css"));
  assert.ok(sum(first) < 80 * KILOBYTE, `${sum(first)} bytes`);
  const all = sum(files.map(({ path }) => path));
  assert.ok(all < 340 * KILOBYTE, `${all} bytes`);
});

/** The files that a browser loads before a view asks for more: those that the page names, and what they import. */
async function loadedAtFirst(): Promise<string[]> {
  const page = await Deno.readTextFile(join(BUILT, "index.html"));
  const found = new Set(["index.html"]);
  const waiting = [...page.matchAll(/"app\/([^"?]+)/g)].map(([, path = ""]) => path);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const text = await Deno.readTextFile(join(BUILT, path));
    for (const [, imported = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) waiting.push(imported);
  }
  return [...found];
}
