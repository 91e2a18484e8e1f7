/**
 * The npm package from its file, as a newcomer gets it: an empty folder, an empty home, `npx`.
 *
 * @module
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  buildPackage,
  BUNDLE_FILE,
  COMMAND_FILE,
  COPIED,
  packageJson,
} from "../../../src/cli/build/package.ts";
import { packagedPage } from "../../../src/cli/build/packaged_page.ts";
import { newRuleText } from "../../../src/engine/rule/new_rule.ts";
import { canInstall } from "../../support/can_install.ts";
import { IS_THOROUGH } from "../../support/fuzz.ts";
import { freePort } from "../../support/server_process.ts";
import project from "../../../deno.json" with { type: "json" };
import { temporaryFolder } from "../../support/temporary_folder.ts";
import { functionTool } from "../../support/chat_tools.ts";

const ANSWER =
  "<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>";
const PLUGIN = 'export default { name: "mine", onCall: () => ({ refuse: "because of mine" }) };\n';
const TOOL = functionTool("read_file", { path: "string" }, { required: ["path"] });
const CHAT = JSON.stringify({
  model: "sample-qwen-xml",
  messages: [{ role: "user", content: "Read the README" }],
  tools: [TOOL],
});

interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly file: string;
}

function npx({ folder, env, file }: Place, words: readonly string[]): Deno.ChildProcess {
  return new Deno.Command("npx", {
    args: ["-y", `--package=${file}`, "dragoman", ...words],
    cwd: folder,
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function run(place: Place, words: readonly string[], stdin = "") {
  const child = npx(place, words);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** The newest process whose command line contains all the words; undefined if none runs. */
async function findProcess(...words: string[]): Promise<number | undefined> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    const line = await Deno.readTextFile(`/proc/${name}/cmdline`).catch(() => "");
    if (/^\d+$/.test(name) && words.every((word) => line.includes(word))) found.push(Number(name));
  }
  return found.sort((a, b) => b - a)[0];
}

/** Asks until the value is there; the test's own limit ends it. */
async function until<Value>(ask: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Starts the proxy, sends one chat, and passes a signal to one of its processes; gives the exit code of `npx`. */
async function serveOnce(place: Place, signalled: "npx" | "command"): Promise<number> {
  const port = String(freePort());
  const child = npx(place, ["serve", "--port", port]);
  const printed = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.stdin.close();
  const url = `http://127.0.0.1:${port}`;
  const ask = () => fetch(`${url}/health`).then((response) => response.text()).catch(() => undefined);
  await until(ask);
  const headers = { "content-type": "application/json" };
  const chat = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body: CHAT });
  const { choices: [choice] } = await chat.json();
  assert.equal(choice.message.tool_calls[0].function.name, "read_file");
  const page = await (await fetch(`${url}/_dragoman/`, { headers: { accept: "text/html" } })).text();
  const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
  assert.equal((await (await fetch(`${url}/_dragoman/${script}`)).text()).includes("Dragoman"), true);
  const rule = {
    method: "POST",
    headers: { "content-type": "application/yaml" },
    body: newRuleText("saved"),
  };
  const saved = await fetch(`${url}/_dragoman/rules`, rule);
  assert.equal(saved.status, 200, await saved.text());
  if (signalled === "npx") child.kill("SIGTERM");
  else Deno.kill((await findProcess("node\0", "dragoman\0", port))!, "SIGTERM");
  const { code } = await child.status;
  await printed;
  await until(async () => await findProcess("dragoman.js", port) === undefined ? true : undefined);
  return code;
}

Deno.test({
  name: "the npm package runs from its file in an empty folder with an empty home",
  ignore: !IS_THOROUGH || Deno.build.os !== "linux",
  async fn(t) {
    if (!await canInstall()) return console.log(`SKIPPED ${t.name}: npm cannot reach its registry`);
    const root = await temporaryFolder();
    const file = await buildPackage(root);
    const folder = join(root, "empty");
    const place = { folder, file, env: { HOME: join(root, "home"), NO_COLOR: "1" } };
    await Deno.mkdir(folder);
    await Deno.mkdir(place.env.HOME);

    const version = await run(place, ["--version"]);
    assert.equal(version.code, 0, version.stderr);
    assert.match(version.stdout, /^dragoman \d+\.\d+\.\d+ \(npm package, Deno /);
    assert.equal((await run(place, ["nonsense"])).code, 2);
    assert.equal((await run(place, ["check", "missing.yaml"])).code, 1);

    const { code, stdout } = await run(place, ["transform", "-"], ANSWER);
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).tool_calls[0].function.arguments, '{"path":"a.txt"}');

    // A command that writes no rule leaves no folder for one.
    const [answer, tools] = [join(root, "answer.txt"), join(root, "tools.json")];
    await Deno.writeTextFile(answer, "Nothing to call.\n");
    await Deno.writeTextFile(tools, JSON.stringify([TOOL]));
    const nothing = ["derive", "--answers", answer, "--tools", tools];
    assert.equal((await run(place, [...nothing, "--name", "mine"])).code, 1);
    assert.deepEqual(await Array.fromAsync(Deno.readDir(folder)), []);

    // What the program writes is in the user's folder, and a file of the user is read from there.
    const init = await run(place, ["init"]);
    assert.equal(init.code, 0, init.stderr);
    assert.ok(init.stdout.includes(`npx -y --package=${file} dragoman serve`), init.stdout);
    assert.equal((await run(place, ["rules", "new", "mine"])).code, 0);
    await Deno.writeTextFile(join(folder, "mine.ts"), PLUGIN);
    const plugins = "plugins: [./mine.ts, call_policy, dependency_chain, prompt_format, strict_validation]\n";
    await Deno.writeTextFile(join(folder, "dragoman.yaml"), plugins, { append: true });
    const checked = await run(place, ["check", "dragoman.yaml"]);
    assert.equal(checked.code, 0, checked.stdout + checked.stderr);
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    assert.deepEqual(names, ["dragoman.schema.json", "dragoman.yaml", "mine.ts", "rules"]);
    assert.match(checked.stdout, /0 errors, 0 warnings/);

    await Deno.remove(join(folder, "dragoman.yaml"));
    assert.equal(await serveOnce(place, "command"), 0);
    assert.equal(await serveOnce(place, "npx"), 128 + 15);
  },
});

const ROOT = new URL("../../../", import.meta.url);

Deno.test("packageJson names the command, the pinned Deno and only files that exist", async () => {
  const { name, version, license, bin, dependencies, files, ...rest } = packageJson(project, "2.9.6");
  assert.deepEqual({ name, version, license }, {
    name: "dragoman",
    version: project.version,
    license: project.license,
  });
  assert.deepEqual(bin, { dragoman: COMMAND_FILE });
  assert.deepEqual(dependencies, { deno: "2.9.6" });
  assert.equal("scripts" in rest, false);
  for (const file of files) {
    if (file !== BUNDLE_FILE) await Deno.stat(new URL(COPIED[file] ?? file, ROOT));
  }
});

Deno.test("the package's pages link only to what the package has", () => {
  const page = "[a](src/a.md), [b\nc](rules/b.md#c), ![d](d.png)[e](https://e.example/) and [f](#g)";
  assert.equal(
    packagedPage(page, (path) => path.startsWith("rules/")),
    "a, [b\nc](rules/b.md#c), [e](https://e.example/) and [f](#g)",
  );
});

Deno.test("the bundle finds the package's rules three folders up", () => {
  assert.equal(new URL("../../../rules", `file:///package/${BUNDLE_FILE}`).pathname, "/package/rules");
});

Deno.test("the package's command is valid for Node", async (t) => {
  const file = new URL(COPIED[COMMAND_FILE]!, ROOT);
  const node = new Deno.Command("node", {
    args: ["--check", file.pathname],
    stdout: "null",
    stderr: "piped",
  });
  const { success, stderr } = await node.output().catch(() => ({ success: undefined, stderr: undefined }));
  if (success === undefined) return console.log(`SKIPPED ${t.name}: no node`);
  assert.ok(success, new TextDecoder().decode(stderr));
});
