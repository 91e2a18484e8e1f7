/**
 * The command of the npm package: which rights it starts Deno with. A script in the place of Deno prints them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { COMMAND_FILE, COPIED } from "../../../src/cli/build/package.ts";
import { ENGINE_FLAGS } from "../../../src/cli/engine_flags.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { findProgram } from "../../support/find_program.ts";

const SOURCE = new URL(`../../../${COPIED[COMMAND_FILE]}`, import.meta.url);

/** Words of the command line → what may be written besides a server's cache, and what may not although its folder may. */
const CASES: readonly (readonly [words: readonly string[], allowed: string[], denied: string[]])[] = [
  [[], ["."], ["dragoman.yaml"]],
  [["serve", "--config", "mine.yaml"], ["."], ["dragoman.yaml", "/project/mine.yaml"]],
  [["serve", "--config=/etc/a,b.yaml"], ["."], ["dragoman.yaml", "/etc/a,,b.yaml"]],
  [["-c", "mine.yaml", "--audit", "/log/a.jsonl"], [".", "/log/a.jsonl"], [
    "dragoman.yaml",
    "/project/mine.yaml",
  ]],
  [["-cmine.yaml"], ["."], ["dragoman.yaml", "/project/mine.yaml"]],
  [["serve", "-vc", "mine.yaml", "--record=/r"], [".", "/r"], ["dragoman.yaml", "/project/mine.yaml"]],
  [["-c", "a.yaml", "-c", "b.yaml"], ["."], ["dragoman.yaml", "/project/a.yaml", "/project/b.yaml"]],
  [["init", "--config", "/etc/new.yaml"], [".", "/etc/new.yaml"], []],
  [["derive", "-o", "/r/new.yaml", "--config", "a.yaml"], [".", "/r/new.yaml", "/project/a.yaml"], []],
  [["report", "--html"], ["."], []],
];

Deno.test("the package's command lets a server write no configuration", async (t) => {
  if (await findProgram("node") === undefined || Deno.build.os === "windows") {
    return console.log(`SKIPPED ${t.name}: no node`);
  }
  const root = await Deno.realPath(await temporaryFolder());
  const file = join(root, "bin", "dragoman.cjs");
  const deno = join(root, "node_modules", "deno");
  const working = join(root, "work");
  for (const folder of [join(root, "bin"), deno, working]) await Deno.mkdir(folder, { recursive: true });
  await Deno.copyFile(SOURCE, file);
  await Deno.writeTextFile(join(deno, "package.json"), "{}");
  const script = join(root, "print");
  await Deno.writeTextFile(script, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o700 });
  const api = `exports.runInstall = () => ${JSON.stringify(script)};`;
  await Deno.writeTextFile(join(deno, "install_api.cjs"), api);
  for (const [words, allowed, denied] of CASES) {
    const env = { XDG_CACHE_HOME: "/caches" };
    const { stdout, stderr } = await new Deno.Command("node", { args: [file, ...words], cwd: working, env })
      .output();
    const lines = new TextDecoder().decode(stdout).replaceAll(working, "/project").split("\n");
    const valuesOf = (flag: string) =>
      lines.filter((line) => line.startsWith(`${flag}=`)).map((line) => line.slice(flag.length + 1));
    const isServer = denied.length > 0;
    assert.equal(lines.includes(ENGINE_FLAGS), isServer, words.join(" "));
    const writable = [...allowed, ...isServer ? ["/caches/dragoman"] : []].join(",");
    assert.deepEqual(valuesOf("--allow-write"), [writable], new TextDecoder().decode(stderr));
    assert.deepEqual(
      valuesOf("--deny-write"),
      denied.length === 0 ? [] : [denied.join(",")],
      words.join(" "),
    );
  }
});
