/**
 * The command of the npm package: which rights it starts Deno with. A script in the place of Deno prints them.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { COMMAND_FILE, COPIED } from "../../../src/cli/build/package.ts";
import { HUNG_CODE } from "../../../src/cli/service/watchdog.ts";
import { ENGINE_FLAGS } from "../../../src/cli/engine_flags.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { WORKERS } from "../../support/process_stage.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { freePort, isOpen } from "../../support/server_process.ts";
import { findProgram } from "../../support/find_program.ts";

const SOURCE = new URL(`../../../${COPIED[COMMAND_FILE]}`, import.meta.url);

/** What a server may write next to its configuration. */
const next = (folder = "") => ["logs", "captures", "rules"].map((name) => folder + name);

/** An audit log and its old files. */
const log = (file: string) => [file, ...Array.from({ length: 20 }, (_, at) => `${file}.${at + 1}`)];

/** Words of the command line → what may be written, besides a server's cache. */
const SERVERS: readonly (readonly [words: readonly string[], allowed: readonly string[]])[] = [
  [[], next()],
  [["serve", "--config", "mine.yaml"], [...next(), ...next("/project/")]],
  [["serve", "--config=/etc/a,b/c.yaml"], [...next(), ...next("/etc/a,,b/")]],
  [["-cmine.yaml", "--audit", "a.jsonl"], [...next(), ...next("/project/"), ...log("/project/a.jsonl")]],
  [["--audit", "/none/here/a.jsonl"], [...next(), ...log("/none/here/a.jsonl"), "/none/here"]],
  [["serve", "-vc", "mine.yaml", "--record=/r"], [...next(), ...next("/project/"), "/r"]],
];

const VERBS: typeof SERVERS = [
  [["init", "--config", "/etc/new.yaml"], [".", "/etc/new.yaml"]],
  [["derive", "-o", "/r/new.yaml", "--config", "a.yaml"], [".", "/r/new.yaml", "/project/a.yaml"]],
  [["report", "--html"], ["."]],
];

Deno.test("the package's command lets a server write only what has a name", async (t) => {
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
  for (const [isServer, cases] of [[true, SERVERS], [false, VERBS]] as const) {
    for (const [words, allowed] of cases) {
      const env = { XDG_CACHE_HOME: "/caches" };
      const { stdout, stderr } = await new Deno.Command("node", { args: [file, ...words], cwd: working, env })
        .output();
      const lines = new TextDecoder().decode(stdout).replaceAll(working, "/project").split("\n");
      const valuesOf = (flag: string) =>
        lines.filter((line) => line.startsWith(`${flag}=`)).map((line) => line.slice(flag.length + 1));
      assert.equal(lines.includes(ENGINE_FLAGS), isServer, words.join(" "));
      const writable = [...allowed, ...isServer ? ["/caches/dragoman"] : []].join(",");
      assert.deepEqual(valuesOf("--allow-write"), [writable], new TextDecoder().decode(stderr));
      assert.deepEqual(valuesOf("--deny-write"), [], words.join(" "));
    }
  }
});

/** The launcher with the sources in the place of the bundle, and a Deno that runs them. */
async function makeLauncher(): Promise<{ readonly file: string; readonly folder: string }> {
  const root = await Deno.realPath(await temporaryFolder());
  const [deno, bundle] = [join(root, "node_modules", "deno"), join(root, "dist", "cli", "bundle")];
  const folder = join(root, "work");
  for (const made of [join(root, "bin"), deno, bundle, folder]) await Deno.mkdir(made, { recursive: true });
  const file = join(root, "bin", "dragoman.cjs");
  await Deno.copyFile(SOURCE, file);
  await Deno.writeTextFile(join(deno, "package.json"), "{}");
  // The sources need their own configuration.
  const script = join(root, "deno.sh");
  const main = new URL("../../../main.ts", import.meta.url).pathname;
  await Deno.writeTextFile(
    script,
    `#!/bin/sh\nset -- $(printf '%s\\n' "$@" | sed -e 's#.*/bundle/dragoman.js#${main}#' -e '/^--no-config$/d')\n` +
      `exec ${Deno.execPath()} "$@"\n`,
    { mode: 0o700 },
  );
  await Deno.writeTextFile(
    join(deno, "install_api.cjs"),
    `exports.runInstall = () => ${JSON.stringify(script)};`,
  );
  return { file, folder };
}

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let left = 600; !await check(); left--) {
    assert.ok(left > 0, "it never becomes so");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A signal to the launcher alone → the launcher's exit code, if it can have one of its own. */
const SIGNALS: readonly (readonly [Deno.Signal, number | undefined])[] = [
  ["SIGINT", 0],
  ["SIGTERM", 0],
  ["SIGKILL", undefined],
];

for (const workers of WORKERS) {
  for (const [signal, code] of SIGNALS) {
    Deno.test({
      name: `${signal} to the package's command alone ends its server, with ${workers} workers`,
      ignore: !IS_THOROUGH || Deno.build.os !== "linux",
      async fn(t) {
        if (await findProgram("node") === undefined) return console.log(`SKIPPED ${t.name}: no node`);
        const { file, folder } = await makeLauncher();
        const port = freePort();
        const launcher = new Deno.Command("node", {
          args: [
            file,
            "serve",
            "--port",
            `${port}`,
            "--workers",
            `${workers}`,
            "--audit",
            "deep/er/audit.jsonl",
          ],
          cwd: folder,
          stdin: "null",
          stdout: "piped",
          stderr: "piped",
        }).spawn();
        const printed = Promise.all([
          new Response(launcher.stdout).text(),
          new Response(launcher.stderr).text(),
        ]);
        let isOver = false;
        const status = launcher.status.finally(() => isOver = true);
        await until(async () => isOver || await isOpen(port));
        if (isOver) assert.fail((await printed).join(""));
        launcher.kill(signal);
        const ended = await status;
        await until(async () => !await isOpen(port));
        const text = (await printed).join("");
        if (code !== undefined) assert.equal(ended.code, code, text);
        assert.ok((await Deno.stat(join(folder, "deep", "er", "audit.jsonl"))).isFile, text);
      },
    });
  }
}

Deno.test("the package's command knows the exit code of a server that hung", async () => {
  assert.ok((await Deno.readTextFile(SOURCE)).includes(`const HUNG_CODE = ${HUNG_CODE};`));
});

/** A plugin that ends the server as its watchdog does. */
const DYING = `export default {
  name: "dying",
  onRequest({ messages }) { if (JSON.stringify(messages).includes("die")) Deno.kill(Deno.pid, "SIGKILL"); },
};`;

Deno.test({
  name: "the package's command starts a server again that its watchdog ended, until a signal ends both",
  ignore: !IS_THOROUGH || Deno.build.os !== "linux",
  async fn(t) {
    if (await findProgram("node") === undefined) return console.log(`SKIPPED ${t.name}: no node`);
    const { file, folder } = await makeLauncher();
    await Deno.writeTextFile(join(folder, "dying.ts"), DYING);
    await Deno.writeTextFile(join(folder, "dragoman.yaml"), "plugins: [./dying.ts]\n");
    const port = freePort();
    const launcher = new Deno.Command("node", {
      args: [file, "serve", "--port", `${port}`],
      cwd: folder,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const printed = new Response(launcher.stderr).text();
    const ask = async (content: string) => {
      const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
      const body = JSON.stringify({ model: "sample-qwen-xml", messages: [{ role: "user", content }], tools });
      const url = `http://127.0.0.1:${port}/v1/chat/completions`;
      return await fetch(url, { method: "POST", body }).then((answer) => answer.text(), () => undefined);
    };
    await until(() => isOpen(port));
    for (let round = 0; round < 2; round++) {
      assert.equal(await ask("die"), undefined);
      // The dead server's port can be open for a moment longer than its connections.
      let answer: string | undefined;
      await until(async () => (answer = await ask("hello")) !== undefined);
      assert.match(answer ?? "", /choices/);
    }
    launcher.kill("SIGTERM");
    assert.equal((await launcher.status).code, 0);
    assert.equal((await printed).match(/It starts again/g)?.length, 2);
    assert.equal(await isOpen(port), false);
  },
});
